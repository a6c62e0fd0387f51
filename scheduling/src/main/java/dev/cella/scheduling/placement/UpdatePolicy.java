package dev.cella.scheduling.placement;

import java.util.OptionalInt;

/**
 * How a group's tasks change to its newer generation: {@code update} of the job file, SURFACE section 8.1.
 *
 * @param maxParallel how many tasks may be between two generations at once
 * @param minHealthy how many healthy tasks the update leaves at any time; empty: the count minus maxParallel
 * @param healthyAfterMillis how long a task must run to count as healthy, if its agent does not report its check
 * @param checkedAfterMillis how long a task must go on to count as healthy after its check has passed
 * @param canary how many tasks are updated before somebody promotes the update; 0: the update needs no promotion
 * @param deadlineMillis after this time without progress an update has failed
 * @param revert whether a failed update goes back to the last complete generation
 */
public record UpdatePolicy(
        int maxParallel,
        OptionalInt minHealthy,
        long healthyAfterMillis,
        long checkedAfterMillis,
        int canary,
        long deadlineMillis,
        boolean revert) {
    /** The default policy of a group. */
    public static final UpdatePolicy DEFAULT = new UpdatePolicy(1, OptionalInt.empty(), 10_000, 0, 600_000, true);

    /** A task is healthy as soon as its check has passed. */
    public UpdatePolicy(
            int maxParallel,
            OptionalInt minHealthy,
            long healthyAfterMillis,
            int canary,
            long deadlineMillis,
            boolean revert) {
        this(maxParallel, minHealthy, healthyAfterMillis, 0, canary, deadlineMillis, revert);
    }

    public UpdatePolicy {
        if (maxParallel < 1 || canary < 0 || minHealthy.orElse(0) < 0) {
            throw new IllegalArgumentException("an update of " + maxParallel + " at once with " + canary
                    + " canaries and " + minHealthy + " healthy tasks is none");
        }
        if (healthyAfterMillis < 0 || checkedAfterMillis < 0 || deadlineMillis < 1) {
            throw new IllegalArgumentException("an update has times that are not negative, and a deadline");
        }
    }

    /** The same without a wait for promotion. */
    public UpdatePolicy withoutCanary() {
        return new UpdatePolicy(
                maxParallel, minHealthy, healthyAfterMillis, checkedAfterMillis, 0, deadlineMillis, revert);
    }

    /** How many of {@code count} tasks stay healthy. */
    public int minHealthyOf(int count) {
        return Math.min(count, minHealthy.orElse(Math.max(0, count - maxParallel)));
    }
}
