package dev.cella.simulator.engine;

import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Workload;
import java.util.OptionalDouble;

/** The counts of one scheduler for one workload. */
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

    /** An attempt begins, maybe beside others. The job's first attempt ends its first wait. */
    public void attemptBegins(SimulatedJob job, int attempt, long nowNanos) {
        if (attempt == 1) {
            waitsFirstAttempt.add(nowNanos - job.submittedNanos());
        }
        if (tryingSinceNanos != NOT_TRYING) {
            busyNanos += nowNanos - tryingSinceNanos;
        }
        tryingSinceNanos = nowNanos;
    }

    /** A decision that others may overlap: the job waited for it so long, and it took so long. */
    public void decided(long waitedNanos, long nanos) {
        waitsFirstAttempt.add(waitedNanos);
        busyNanos += nanos;
    }

    /** One of the attempt's transactions was decided, with that many accepted claims and conflicts. */
    public void transactionDecided(int accepted, int conflicted) {
        if (conflicted > 0) {
            transactionsConflicted++;
        } else if (accepted > 0) {
            transactionsSuccessful++;
        }
        claimsAccepted += accepted;
        claimsConflicted += conflicted;
    }

    /** The attempt ends. Its time is wasted if it conflicted or had no result. */
    public void attemptEnds(boolean wasted, long nowNanos) {
        long nanos = nowNanos - tryingSinceNanos;
        tryingSinceNanos = NOT_TRYING;
        busyNanos += nanos;
        wastedNanos += wasted ? nanos : 0;
    }

    /** After the end of one attempt, others are still under way. */
    public void stillTrying(long nowNanos) {
        tryingSinceNanos = nowNanos;
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

    /** The counts until the end. An attempt that is still going on counts as busy until then. */
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
