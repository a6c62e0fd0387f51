package dev.cella.simulator.engine;

import dev.cella.simulator.workload.Workload;
import java.util.OptionalDouble;

/**
 * What one scheduler did for one workload in a whole run. A scheduler that serves two workloads has two rows, and what they
 * count adds up to what it did, its busy fractions too.
 *
 * @param type the type of scheduler, as {@code cella scheduler types} lists it, or the architecture's own
 * @param jobsQueued those submitted that were neither placed whole nor abandoned when the run ended
 * @param meanWaitFirstAttemptSeconds from submission to the start of the first attempt
 * @param meanWaitFullyScheduledSeconds from submission to the commit that placed the last task
 * @param busyFraction the part of time spent planning and committing
 * @param wastedBusyFraction of that, attempts that conflicted or of which nothing came
 * @param conflictFraction conflicted over successful transactions; empty when none was successful
 */
public record SchedulerRow(
        String name,
        String type,
        Workload workload,
        int jobsSubmitted,
        int jobsFullyScheduled,
        int jobsQueued,
        int jobsAbandoned,
        OptionalDouble meanWaitFirstAttemptSeconds,
        OptionalDouble p90WaitFirstAttemptSeconds,
        OptionalDouble meanWaitFullyScheduledSeconds,
        OptionalDouble p90WaitFullyScheduledSeconds,
        double busyFraction,
        double wastedBusyFraction,
        long transactionsSuccessful,
        long transactionsConflicted,
        OptionalDouble conflictFraction,
        long claimsAccepted,
        long claimsConflicted) {}
