package dev.cella.simulator.engine;

import dev.cella.scheduling.loop.RetryOrder;
import dev.cella.simulator.workload.JobMeans;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.simulator.workload.Workload;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import java.util.Optional;

/**
 * Everything a run depends on, but for a trace. The defaults are the dissertation's (3.2).
 *
 * @param retry what becomes of a job that was not placed whole, where it is not the default
 */
public record RunParameters(
        String architecture,
        ReferenceCell cell,
        Geometry geometry,
        JobMeans batch,
        JobMeans service,
        DecisionTime batchDecisionTime,
        DecisionTime serviceDecisionTime,
        SchedulerChoice batchSchedulers,
        SchedulerChoice serviceSchedulers,
        Atomicity atomicity,
        ConflictRule conflictRule,
        Optional<RetryOrder> retry,
        AttemptLimits limits,
        double days,
        long seed) {
    public static final DecisionTime DECISION_TIME = DecisionTime.ofSeconds(0.1, 0.005);
    public static final double DAYS = 7;
    private static final double DAYS_MAX = 10_000;

    public RunParameters {
        if (!(days > 0 && days <= DAYS_MAX)) {
            throw new ImpossibleParameterException(
                    "a run is longer than 0 and at most " + DAYS_MAX + " days, not " + days, "--days 7");
        }
    }

    /** The dissertation's set-up of a cell. */
    public static RunParameters of(String architecture, ReferenceCell cell) {
        return new RunParameters(
                architecture,
                cell,
                Geometry.ofMachines(cell.machines()),
                cell.means(Workload.BATCH),
                cell.means(Workload.SERVICE),
                DECISION_TIME,
                DECISION_TIME,
                SchedulerChoice.one(),
                SchedulerChoice.one(),
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                Optional.empty(),
                AttemptLimits.DEFAULT,
                DAYS,
                1);
    }

    public long endNanos() {
        return VirtualTime.nanos(days * VirtualTime.SECONDS_PER_DAY);
    }

    public JobMeans means(Workload workload) {
        return switch (workload) {
            case BATCH -> batch;
            case SERVICE -> service;
        };
    }

    public DecisionTime decisionTime(Workload workload) {
        return switch (workload) {
            case BATCH -> batchDecisionTime;
            case SERVICE -> serviceDecisionTime;
        };
    }

    public SchedulerChoice schedulers(Workload workload) {
        return switch (workload) {
            case BATCH -> batchSchedulers;
            case SERVICE -> serviceSchedulers;
        };
    }

    /**
     * The dissertation's order, but where a decision takes no time: to try again at once, for ever, would let no time
     * pass, so jobs keep their place until something is free.
     */
    public RetryOrder retryOrder() {
        boolean timeless = batchDecisionTime.isZero() || serviceDecisionTime.isZero();
        return retry.orElse(timeless ? RetryOrder.KEEPS_PLACE : RetryOrder.BEHIND_OTHERS);
    }

    public RunParameters withGeometry(Geometry other) {
        return new RunParameters(
                architecture,
                cell,
                other,
                batch,
                service,
                batchDecisionTime,
                serviceDecisionTime,
                batchSchedulers,
                serviceSchedulers,
                atomicity,
                conflictRule,
                retry,
                limits,
                days,
                seed);
    }

    public RunParameters withMeans(JobMeans ofBatch, JobMeans ofService) {
        return new RunParameters(
                architecture,
                cell,
                geometry,
                ofBatch,
                ofService,
                batchDecisionTime,
                serviceDecisionTime,
                batchSchedulers,
                serviceSchedulers,
                atomicity,
                conflictRule,
                retry,
                limits,
                days,
                seed);
    }

    public RunParameters withDecisionTimes(DecisionTime ofBatch, DecisionTime ofService) {
        return new RunParameters(
                architecture,
                cell,
                geometry,
                batch,
                service,
                ofBatch,
                ofService,
                batchSchedulers,
                serviceSchedulers,
                atomicity,
                conflictRule,
                retry,
                limits,
                days,
                seed);
    }

    public RunParameters withSchedulers(SchedulerChoice ofBatch, SchedulerChoice ofService) {
        return new RunParameters(
                architecture,
                cell,
                geometry,
                batch,
                service,
                batchDecisionTime,
                serviceDecisionTime,
                ofBatch,
                ofService,
                atomicity,
                conflictRule,
                retry,
                limits,
                days,
                seed);
    }

    public RunParameters withModes(Atomicity chosen, ConflictRule rule) {
        return new RunParameters(
                architecture,
                cell,
                geometry,
                batch,
                service,
                batchDecisionTime,
                serviceDecisionTime,
                batchSchedulers,
                serviceSchedulers,
                chosen,
                rule,
                retry,
                limits,
                days,
                seed);
    }

    public RunParameters withRetry(RetryOrder order, AttemptLimits attempts) {
        return new RunParameters(
                architecture,
                cell,
                geometry,
                batch,
                service,
                batchDecisionTime,
                serviceDecisionTime,
                batchSchedulers,
                serviceSchedulers,
                atomicity,
                conflictRule,
                Optional.of(order),
                attempts,
                days,
                seed);
    }

    public RunParameters lasting(double runDays, long runSeed) {
        return new RunParameters(
                architecture,
                cell,
                geometry,
                batch,
                service,
                batchDecisionTime,
                serviceDecisionTime,
                batchSchedulers,
                serviceSchedulers,
                atomicity,
                conflictRule,
                retry,
                limits,
                runDays,
                runSeed);
    }
}
