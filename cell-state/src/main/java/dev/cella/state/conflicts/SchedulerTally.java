package dev.cella.state.conflicts;

import java.util.ArrayList;
import java.util.List;

/** What came of one scheduler's transactions in some stretch of time. Bounded: the rarest of many are left out. */
final class SchedulerTally {
    private static final int CAUSES_MAX = 64;
    private static final int MACHINES_MAX = 32;
    private static final int WINNERS_MAX = 32;

    Totals totals = Totals.NONE;
    final Counts<Cause> conflicts = new Counts<>(CAUSES_MAX);
    final Counts<Cause> refusals = new Counts<>(CAUSES_MAX);
    final Counts<String> machines;
    final Counts<String> winners = new Counts<>(WINNERS_MAX);
    final List<Sample> staleness = new ArrayList<>();

    /** Of one stretch. */
    static SchedulerTally ofStretch() {
        SchedulerTally tally = new SchedulerTally(MACHINES_MAX);
        tally.staleness.add(new Sample());
        return tally;
    }

    /** Of several, into which others are added. */
    static SchedulerTally ofSum() {
        return new SchedulerTally(Integer.MAX_VALUE);
    }

    private SchedulerTally(int machinesMax) {
        machines = new Counts<>(machinesMax);
    }

    void decided(Totals one, long stalenessVersions) {
        totals = totals.plus(one);
        staleness.get(0).add(stalenessVersions);
    }

    void lost(LostClaim claim) {
        conflicts.add(new Cause(claim.reason(), claim.dimension()), 1);
        claim.winner().ifPresent(winner -> winners.add(winner.scheduler(), 1));
        if (!claim.machine().isEmpty()) {
            machines.add(claim.machine(), 1);
        }
    }

    void add(SchedulerTally other) {
        totals = totals.plus(other.totals);
        conflicts.addAll(other.conflicts);
        refusals.addAll(other.refusals);
        machines.addAll(other.machines);
        winners.addAll(other.winners);
        staleness.addAll(other.staleness);
    }
}
