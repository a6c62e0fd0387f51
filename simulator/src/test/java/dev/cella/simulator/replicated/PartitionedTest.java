package dev.cella.simulator.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.ImpossibleParameterException;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.experiment.SingleServerQueue;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Static partitions (4.2.1) beside the shared cell. */
class PartitionedTest {
    private static final List<SchedulerProvider> TYPES = List.of(new BatchSchedulerProvider());
    private static final Architecture PARTITIONED = new Partitioned(TYPES);
    private static final Architecture SHARED = new Replicated(TYPES);

    /** The batch part is full while the service part idles; the shared cell has room for all. */
    @Test
    void atEqualLoad_thePartsWaitLongerAndUseLess() {
        RunParameters run = RunParameters.of("replicated", ReferenceCell.A)
                .withGeometry(Geometry.ofMachines(2_000))
                .lasting(0.05, 1);

        RunResult shared = run(SHARED, run);
        RunResult parts = run(PARTITIONED, run.withBatchPart(0.3));

        assertThat(shared.row(Workload.BATCH).jobsFullyScheduled())
                .isGreaterThan(parts.row(Workload.BATCH).jobsFullyScheduled());
        assertThat(wait(parts)).isGreaterThan(2 * wait(shared));
        assertThat(parts.cpuUtilisation()).isLessThan(shared.cpuUtilisation());
    }

    private static double wait(RunResult result) {
        return result.row(Workload.BATCH).meanWaitFullyScheduledSeconds().orElseThrow();
    }

    /** One scheduler by itself is the queue M/G/1, in a part as in a cell. */
    @Test
    void eachSchedulerInItsPart_isAQueueOfItsOwn() {
        RunParameters run = RunParameters.of("partitioned", ReferenceCell.A).lasting(0.5, 1);
        SingleServerQueue batch = SingleServerQueue.of(run, Workload.BATCH);

        RunResult result = run(PARTITIONED, run);

        assertThat(result.row(Workload.BATCH).busyFraction()).isCloseTo(batch.busyFraction(), within(0.005));
        assertThat(result.row(Workload.BATCH).meanWaitFirstAttemptSeconds().orElseThrow())
                .isCloseTo(batch.meanWaitSeconds(), within(0.15 * batch.meanWaitSeconds()));
        assertThat(result.row(Workload.BATCH).claimsConflicted()).isZero();
        assertThat(result.row(Workload.SERVICE).claimsConflicted()).isZero();
    }

    @Test
    void partWithoutAMachine_isReportedBeforeTheRun() {
        RunParameters run = RunParameters.of("partitioned", ReferenceCell.A).withBatchPart(0);
        assertThatThrownBy(() -> run(PARTITIONED, run))
                .isInstanceOf(ImpossibleParameterException.class)
                .hasMessageContaining("a part of 0 machines is too small for 1 batch scheduler");
        assertThatThrownBy(() -> run.withBatchPart(1.5)).hasMessageContaining("from 0 to 1");
    }

    private static RunResult run(Architecture architecture, RunParameters run) {
        return architecture.run(run, RunWork.of(run, List.of()), RunProgress.UNHEARD);
    }
}
