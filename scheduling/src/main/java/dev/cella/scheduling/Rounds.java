package dev.cella.scheduling;

import java.time.Duration;

/**
 * How often a scheduler gets a turn about the cells themselves, with no job: an allocator that offers machines, a rebalancer.
 *
 * @param every a round begins at the latest so long after the last one
 * @param soonest a round begins at the earliest so long after the last one, if a cell has changed
 */
public record Rounds(Duration every, Duration soonest) {
    public Rounds {
        if (soonest.isNegative() || every.toMillis() < 1 || every.compareTo(soonest) < 0) {
            throw new IllegalArgumentException("rounds come every " + every + ", and not sooner than " + soonest);
        }
    }
}
