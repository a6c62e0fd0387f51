package dev.cella.scheduling;

import java.time.Duration;

/**
 * How often a scheduler gets a turn about the cells themselves, without a job: an allocator that offers machines, a
 * rebalancer.
 *
 * @param every the longest time between the starts of two rounds
 * @param soonest the shortest time between two rounds, if a cell has changed
 */
public record Rounds(Duration every, Duration soonest) {
    public Rounds {
        if (soonest.isNegative() || every.toMillis() < 1 || every.compareTo(soonest) < 0) {
            throw new IllegalArgumentException("rounds come every " + every + ", and not sooner than " + soonest);
        }
    }
}
