package dev.cella.simulator.engine;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.scheduling.loop.RetryOrder;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.simulator.workload.Workload;
import java.util.function.UnaryOperator;

/**
 * Everything that a run depends on, except a trace. The defaults are the dissertation's (3.2).
 *
 * @param batchPart the fraction of the machines for batch schedulers in a partitioned cell
 */
public record RunParameters(
        String architecture,
        ReferenceCell cell,
        Geometry geometry,
        WorkloadSetUp batch,
        WorkloadSetUp service,
        Modes modes,
        Retry retry,
        double days,
        long seed,
        double batchPart,
        InputSetUp input,
        DecentralSetUp decentral) {
    private static final double DAYS_DEFAULT = 7;
    private static final double DAYS_MAX = 10_000;
    private static final double BATCH_PART_DEFAULT = 0.5;

    public RunParameters {
        if (!(days > 0 && days <= DAYS_MAX)) {
            throw new ImpossibleParameterException(
                    "a run is longer than 0 and at most " + DAYS_MAX + " days, not " + days, "--days 7");
        }
        if (!(batchPart >= 0 && batchPart <= 1)) {
            throw new ImpossibleParameterException(
                    "a part of the machines is from 0 to 1, not " + batchPart, "--partition batch=0.5");
        }
    }

    /** The dissertation's set-up of a cell. */
    public static RunParameters of(String architecture, ReferenceCell cell) {
        return new RunParameters(
                architecture,
                cell,
                Geometry.ofMachines(cell.machines()),
                WorkloadSetUp.of(cell.means(Workload.BATCH)),
                WorkloadSetUp.of(cell.means(Workload.SERVICE)),
                Modes.DEFAULT,
                Retry.DEFAULT,
                DAYS_DEFAULT,
                1,
                BATCH_PART_DEFAULT,
                InputSetUp.DEFAULT,
                DecentralSetUp.DEFAULT);
    }

    public long endNanos() {
        return VirtualTime.nanos(days * VirtualTime.SECONDS_PER_DAY);
    }

    public WorkloadSetUp setUp(Workload workload) {
        return switch (workload) {
            case BATCH -> batch;
            case SERVICE -> service;
        };
    }

    /**
     * The dissertation's order, except if a decision takes no time. Then retrying at once would let no time pass, so jobs keep
     * their place until something is free.
     */
    public RetryOrder retryOrder() {
        boolean timeless =
                batch.decisionTime().isZero() || service.decisionTime().isZero();
        return retry.order().orElse(timeless ? RetryOrder.KEEPS_PLACE : RetryOrder.BEHIND_OTHERS);
    }

    /** The same run of another architecture. */
    public RunParameters of(String other) {
        return new RunParameters(
                other, cell, geometry, batch, service, modes, retry, days, seed, batchPart, input, decentral);
    }

    public RunParameters withGeometry(Geometry other) {
        return new RunParameters(
                architecture, cell, other, batch, service, modes, retry, days, seed, batchPart, input, decentral);
    }

    public RunParameters withBatch(UnaryOperator<WorkloadSetUp> change) {
        return new RunParameters(
                architecture,
                cell,
                geometry,
                change.apply(batch),
                service,
                modes,
                retry,
                days,
                seed,
                batchPart,
                input,
                decentral);
    }

    public RunParameters withService(UnaryOperator<WorkloadSetUp> change) {
        return new RunParameters(
                architecture,
                cell,
                geometry,
                batch,
                change.apply(service),
                modes,
                retry,
                days,
                seed,
                batchPart,
                input,
                decentral);
    }

    public RunParameters withDecisionTimes(DecisionTime ofBatch, DecisionTime ofService) {
        return withBatch(setUp -> setUp.withDecisionTime(ofBatch))
                .withService(setUp -> setUp.withDecisionTime(ofService));
    }

    public RunParameters withModes(Modes other) {
        return new RunParameters(
                architecture, cell, geometry, batch, service, other, retry, days, seed, batchPart, input, decentral);
    }

    public RunParameters withRetry(Retry other) {
        return new RunParameters(
                architecture, cell, geometry, batch, service, modes, other, days, seed, batchPart, input, decentral);
    }

    public RunParameters lasting(double runDays, long runSeed) {
        return new RunParameters(
                architecture,
                cell,
                geometry,
                batch,
                service,
                modes,
                retry,
                runDays,
                runSeed,
                batchPart,
                input,
                decentral);
    }

    public RunParameters withBatchPart(double part) {
        return new RunParameters(
                architecture, cell, geometry, batch, service, modes, retry, days, seed, part, input, decentral);
    }

    public RunParameters withInput(InputSetUp other) {
        return new RunParameters(
                architecture, cell, geometry, batch, service, modes, retry, days, seed, batchPart, other, decentral);
    }

    public RunParameters withDecentral(DecentralSetUp other) {
        return new RunParameters(
                architecture, cell, geometry, batch, service, modes, retry, days, seed, batchPart, input, other);
    }
}
