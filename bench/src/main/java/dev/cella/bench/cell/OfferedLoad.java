package dev.cella.bench.cell;

import java.util.OptionalInt;

/**
 * The requests of a measurement's schedulers.
 *
 * @param schedulers each with a stream and a thread of its own
 * @param claims in each transaction that places
 * @param releases whether every third command releases what the two before it have placed
 * @param window transactions of a scheduler that are under way at once
 * @param perSecond transactions of all schedulers begun per second, however those before them end; left out: one
 *     whenever one is answered
 * @param commandsMax transactions that each scheduler begins at most
 */
record OfferedLoad(int schedulers, int claims, boolean releases, int window, OptionalInt perSecond, long commandsMax) {
    static OfferedLoad closed(int schedulers, int claims, int window) {
        return new OfferedLoad(schedulers, claims, true, window, OptionalInt.empty(), Long.MAX_VALUE);
    }

    static OfferedLoad open(int schedulers, int claims, int perSecond) {
        return new OfferedLoad(schedulers, claims, true, Integer.MAX_VALUE, OptionalInt.of(perSecond), Long.MAX_VALUE);
    }

    /** A load by its placements a second. The last transaction of a round only releases. */
    static OfferedLoad placing(int schedulers, int claims, int placementsPerSecond) {
        int placementsOfARound = (PlacingScheduler.COMMANDS_A_ROUND - 1) * claims;
        long transactions = (long) PlacingScheduler.COMMANDS_A_ROUND * placementsPerSecond;
        return open(schedulers, claims, (int) (transactions / placementsOfARound));
    }

    /** Places that many tasks, rounded up to whole transactions of each scheduler, and releases none. */
    static OfferedLoad filling(int schedulers, int claims, int window, long tasks) {
        long placedAtOnce = (long) schedulers * claims;
        long commands = (tasks + placedAtOnce - 1) / placedAtOnce;
        return new OfferedLoad(schedulers, claims, false, window, OptionalInt.empty(), commands);
    }
}
