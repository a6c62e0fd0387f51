package dev.cella.agent.reconciler;

/**
 * The times that a {@link Reconciler} keeps.
 *
 * @param retryMillisMin the wait before what was not answered is asked again; doubled each time
 * @param graceLostMillisMax the grace of tasks whose machine the cell has given up, at most
 * @param killRepeatMillis the wait before a kill that had no effect is repeated
 */
public record ReconcilerOptions(
        long retryMillisMin, long retryMillisMax, long graceLostMillisMax, long killRepeatMillis) {
    public static final ReconcilerOptions DEFAULT = new ReconcilerOptions(100, 5_000, 2_000, 5_000);

    public ReconcilerOptions {
        if (retryMillisMin <= 0 || retryMillisMax < retryMillisMin) {
            throw new IllegalArgumentException("waits from " + retryMillisMin + " to " + retryMillisMax + " ms");
        }
        if (graceLostMillisMax < 0 || killRepeatMillis <= 0) {
            throw new IllegalArgumentException("grace " + graceLostMillisMax + " ms, kill again " + killRepeatMillis);
        }
    }

    /** The wait after so many failures in a row, the first one being 1. */
    long retryDelayMillis(int failures) {
        int doublings = Math.min(failures - 1, 30);
        return Math.min(retryMillisMin << doublings, retryMillisMax);
    }
}
