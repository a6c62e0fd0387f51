package dev.cella.agent.reconciler;

/**
 * The times of a {@link Reconciler}.
 *
 * @param retryMillisMin the wait before a request without an answer is repeated; doubled each time
 * @param graceLostMillisMax the longest grace time of tasks whose machine the cell has given up
 * @param killRepeatMillis the wait before a kill without effect is repeated
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

    /** The wait after that many failures in a row, the first one being 1. */
    long retryDelayMillis(int failures) {
        int doublings = Math.min(failures - 1, 30);
        return Math.min(retryMillisMin << doublings, retryMillisMax);
    }
}
