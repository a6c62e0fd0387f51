package dev.cella.state.core;

import java.time.Duration;

/**
 * Keeps small entries apart while many commands come. An entry costs three servers about a millisecond of processor time,
 * however few commands it has.
 *
 * <p>Callers that ask again only after their answer lose nothing: as soon as as many commands wait as the largest of the last
 * entries had, everybody may be waiting, and nothing more would come. So a caller alone does not wait, except for some
 * entries after others have stopped. Not safe for use by several threads.
 */
final class EntryPace {
    /** The part of the largest entry's size that is left after another entry. */
    private static final double REMEMBERED = 0.95;

    private final long distanceNanos;
    private long proposedNanos;
    private double commandsMax;

    EntryPace(Duration distance) {
        this.distanceNanos = distance.toNanos();
    }

    /** How long these commands should wait for others. */
    Duration delay(long nowNanos, int commands) {
        long left = proposedNanos + distanceNanos - nowNanos;
        return commands >= commandsMax || left <= 0 ? Duration.ZERO : Duration.ofNanos(left);
    }

    void proposed(long nowNanos, int commands) {
        proposedNanos = nowNanos;
        commandsMax = Math.max(commands, commandsMax * REMEMBERED);
    }
}
