package dev.cella.simulator.engine;

import dev.cella.simulator.workload.Workload;
import java.util.OptionalDouble;

/**
 * The result of one scheduler for one workload in a whole run. A scheduler that serves two workloads has two rows, whose
 * counts and busy fractions add up.
 *
 * @param type the type of scheduler, as {@code cella scheduler types} lists it, or the architecture's own
 * @param jobsQueued submitted jobs that were neither placed completely nor abandoned at the end
 * @param meanWaitFirstAttemptSeconds from submission to the start of the first attempt
 * @param meanWaitFullyScheduledSeconds from submission to the commit that placed the last task
 * @param busyFraction the fraction of time spent planning and committing
 * @param wastedBusyFraction the part of that for attempts that conflicted or had no result
 * @param conflictFraction conflicted over successful transactions; empty if none was successful
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
