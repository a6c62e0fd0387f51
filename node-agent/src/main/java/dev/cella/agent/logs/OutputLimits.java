package dev.cella.agent.logs;

/**
 * How much output a machine keeps.
 *
 * @param streamBytesMax per stream of an attempt; older bytes are dropped
 * @param endedAttemptsMax attempts that have ended; the oldest are dropped
 * @param endedBytesMax of all attempts that have ended; the oldest are dropped, except the last one that ended
 */
public record OutputLimits(long streamBytesMax, int endedAttemptsMax, long endedBytesMax) {
    private static final long STREAM_BYTES = 16L << 20;
    private static final long ENDED_STREAMS = 64;

    public static final OutputLimits DEFAULT = new OutputLimits(STREAM_BYTES, 1_000, ENDED_STREAMS * STREAM_BYTES);

    /** The same limits with another maximum for each stream; more is then kept in all, but never less. */
    public OutputLimits withStreamBytes(long max) {
        return new OutputLimits(max, endedAttemptsMax, Math.max(endedBytesMax, ENDED_STREAMS * max));
    }

    public OutputLimits {
        if (streamBytesMax < 2 || endedAttemptsMax < 1 || endedBytesMax < 1) {
            throw new IllegalArgumentException("output of " + streamBytesMax + " bytes, " + endedAttemptsMax + " kept, "
                    + endedBytesMax + " bytes kept");
        }
    }
}
