package dev.cella.scheduler.batch.fair;

import dev.cella.scheduling.JobKey;
import dev.cella.transactions.model.CellTime;
import java.util.Map;

/**
 * The memory of the fair scheduler between plans: how long groups have waited for their input, and since when pools have less
 * than they are due.
 */
record FairMemory(Map<GroupKey, Delay> delays, Map<Due, CellTime> lacking) {
    static final FairMemory NOTHING = new FairMemory(Map.of(), Map.of());

    /** A group of a job. */
    record GroupKey(JobKey job, String group) {}

    /** Something that a pool is due. */
    record Due(int cell, String pool, Claim claim) {}

    /** The kinds of dues of a pool: its minimum, or half of its fair share. */
    enum Claim {
        MINIMUM,
        HALF_OF_SHARE
    }

    FairMemory {
        delays = Map.copyOf(delays);
        lacking = Map.copyOf(lacking);
    }

    Delay delay(GroupKey group) {
        return delays.getOrDefault(group, Delay.NONE);
    }
}
