package dev.cella.simulator.engine;

import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Workload;
import java.util.OptionalDouble;

/** What one scheduler did for one workload, counted as it happens. */
public final class SchedulerStats {
    private static final long NOT_TRYING = -1;

    private final String name;
    private final String type;
    private final Workload workload;
    private final Waits waitsFirstAttempt = new Waits();
    private final Waits waitsFullyScheduled = new Waits();
    private int jobsSubmitted;
    private int jobsFullyScheduled;
    private int jobsAbandoned;
    private long busyNanos;
    private long wastedNanos;
    private long tryingSinceNanos = NOT_TRYING;
    private long transactionsSuccessful;
    private long transactionsConflicted;
    private long claimsAccepted;
    private long claimsConflicted;

    public SchedulerStats(String name, String type, Workload workload) {
        this.name = name;
        this.type = type;
        this.workload = workload;
    }

    /** The scheduler's. */
    public String name() {
        return name;
    }

    public void submitted() {
        jobsSubmitted++;
    }

    /** An attempt begins; the job's first one ends its first wait. */
    public void attemptBegins(SimulatedJob job, int attempt, long nowNanos) {
        if (attempt == 1) {
            waitsFirstAttempt.add(nowNanos - job.submittedNanos());
        }
        tryingSinceNanos = nowNanos;
    }

    /** One of the attempt's transactions was decided: how many claims were accepted, and how many conflicted. */
    public void transactionDecided(int accepted, int conflicted) {
        if (conflicted > 0) {
            transactionsConflicted++;
        } else if (accepted > 0) {
            transactionsSuccessful++;
        }
        claimsAccepted += accepted;
        claimsConflicted += conflicted;
    }

    /** The attempt ends; its time is wasted when it conflicted, or when nothing came of it. */
    public void attemptEnds(boolean wasted, long nowNanos) {
        long nanos = nowNanos - tryingSinceNanos;
        tryingSinceNanos = NOT_TRYING;
        busyNanos += nanos;
        wastedNanos += wasted ? nanos : 0;
    }

    public void fullyScheduled(SimulatedJob job, long nowNanos) {
        jobsFullyScheduled++;
        waitsFullyScheduled.add(nowNanos - job.submittedNanos());
    }

    public void abandoned() {
        jobsAbandoned++;
    }

    public long claimsAccepted() {
        return claimsAccepted;
    }

    /** What was counted until the end; an attempt that is still going on has been busy until then. */
    public SchedulerRow row(long endNanos) {
        long unfinished = tryingSinceNanos == NOT_TRYING ? 0 : endNanos - tryingSinceNanos;
        return new SchedulerRow(
                name,
                type,
                workload,
                jobsSubmitted,
                jobsFullyScheduled,
                jobsSubmitted - jobsFullyScheduled - jobsAbandoned,
                jobsAbandoned,
                waitsFirstAttempt.meanSeconds(),
                waitsFirstAttempt.p90Seconds(),
                waitsFullyScheduled.meanSeconds(),
                waitsFullyScheduled.p90Seconds(),
                (double) (busyNanos + unfinished) / endNanos,
                (double) wastedNanos / endNanos,
                transactionsSuccessful,
                transactionsConflicted,
                conflictFraction(),
                claimsAccepted,
                claimsConflicted);
    }

    private OptionalDouble conflictFraction() {
        return transactionsSuccessful == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) transactionsConflicted / transactionsSuccessful);
    }
}
