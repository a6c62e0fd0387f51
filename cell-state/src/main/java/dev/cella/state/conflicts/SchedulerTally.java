package dev.cella.state.conflicts;

import dev.cella.state.history.Sample;
import java.util.ArrayList;
import java.util.List;

/** Outcomes of one scheduler's transactions in a stretch of time. Its lost claims are in the {@link Ledger}. */
final class SchedulerTally {
    private static final int CAUSES_MAX = 64;

    Totals totals = Totals.NONE;
    final Counts<Cause> refusals = new Counts<>(CAUSES_MAX);
    final List<Sample> staleness = new ArrayList<>();

    /** A tally for one stretch. */
    static SchedulerTally ofStretch() {
        SchedulerTally tally = new SchedulerTally();
        tally.staleness.add(new Sample());
        return tally;
    }

    /** An empty sum, to which other tallies are added. */
    static SchedulerTally ofSum() {
        return new SchedulerTally();
    }

    void decided(Totals one, long stalenessVersions) {
        totals = totals.plus(one);
        staleness.get(0).add(stalenessVersions);
    }

    void add(SchedulerTally other) {
        totals = totals.plus(other.totals);
        refusals.addAll(other.refusals);
        staleness.addAll(other.staleness);
    }
}
