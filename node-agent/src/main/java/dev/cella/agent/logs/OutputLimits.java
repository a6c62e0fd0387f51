package dev.cella.agent.logs;

/**
 * How much output a machine keeps.
 *
 * @param streamBytesMax per stream of an attempt; older bytes are dropped
 * @param endedAttemptsMax attempts that have ended; the oldest are dropped
 */
public record OutputLimits(long streamBytesMax, int endedAttemptsMax) {
    public static final OutputLimits DEFAULT = new OutputLimits(16L << 20, 1_000);

    /** The same limits with another maximum for each stream. */
    public OutputLimits withStreamBytes(long max) {
        return new OutputLimits(max, endedAttemptsMax);
    }

    public OutputLimits {
        if (streamBytesMax < 2 || endedAttemptsMax < 1) {
            throw new IllegalArgumentException("output of " + streamBytesMax + " bytes, " + endedAttemptsMax + " kept");
        }
    }
}
