package dev.cella.scheduler.batch.fair;

import dev.cella.scheduling.placement.GroupInputs;
import dev.cella.transactions.model.CellTime;
import java.util.Optional;

/**
 * How long a group has waited for a machine near its input, and how far from it the group may go: the state of a job in
 * Algorithm 3 of the paper. A wait counts from a plan that skipped the group although a machine had room until the
 * group's next plan.
 *
 * @param level where the last task went
 * @param waitedMillis how long the group was skipped since then
 * @param skippedAt when it was skipped last, if nothing was placed since
 */
record Delay(Locality level, long waitedMillis, Optional<CellTime> skippedAt) {
    static final Delay NONE = new Delay(Locality.MACHINE, 0, Optional.empty());

    /** The same with the wait until now counted. */
    Delay at(CellTime now) {
        long skipped = skippedAt.map(at -> now.millis() - at.millis()).orElse(0L);
        return new Delay(level, waitedMillis + skipped, Optional.empty());
    }

    Delay skipped(CellTime now) {
        return new Delay(level, waitedMillis, Optional.of(now));
    }

    Delay placed(Locality at) {
        return new Delay(at, 0, Optional.empty());
    }

    boolean allows(Locality locality, GroupInputs inputs) {
        return millisUntil(locality, inputs) == 0;
    }

    /** How much longer the group must be skipped before it may go that far from its input. */
    long millisUntil(Locality locality, GroupInputs inputs) {
        return Math.max(0, waitFor(locality, inputs) - waitedMillis);
    }

    private long waitFor(Locality locality, GroupInputs inputs) {
        if (locality.compareTo(level) <= 0) {
            return 0;
        }
        return switch (locality) {
            case MACHINE -> 0;
            case RACK -> inputs.waitMachineMillis();
            case ANY ->
                level == Locality.RACK ? inputs.waitRackMillis() : inputs.waitMachineMillis() + inputs.waitRackMillis();
        };
    }
}
