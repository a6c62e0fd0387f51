package dev.cella.transactions.model;

/**
 * How often a task is retried after FAILED, and how long its scheduler waits before. LOST and PREEMPTED do not count. A task
 * that failed more than {@code attempts} times has failed for good; the cell decides that.
 */
public record Restart(int attempts, long delayMillis, long delayMillisMax) {
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** For copies of tasks: no attempt follows one that ended. */
    public static final Restart NEVER = new Restart(0, 1_000, 60_000);

    /** The default of a batch job. */
    public static final Restart BATCH = new Restart(2, 1_000, 60_000);

    /** The default of a service. */
    public static final Restart SERVICE = new Restart(UNLIMITED, 1_000, 60_000);

    public Restart {
        if (attempts < 0 || delayMillis < 0 || delayMillisMax < delayMillis) {
            throw new IllegalArgumentException(
                    "restart: attempts " + attempts + ", delay " + delayMillis + " ms up to " + delayMillisMax + " ms");
        }
    }
}
