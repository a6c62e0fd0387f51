package dev.cella.simulator.monolithic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.scheduling.loop.RetryOrder;
import dev.cella.simulator.engine.AttemptLimits;
import dev.cella.simulator.engine.FifoQueue;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.Retry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.engine.SchedulerRow;
import dev.cella.simulator.engine.WorkloadSetUp;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.Workload;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class MonolithicTest {
    private static RunResult run(Monolithic architecture, RunParameters parameters, List<Trace> traces) {
        return architecture.run(parameters, RunWork.of(parameters, traces), RunProgress.UNHEARD);
    }

    private static RunParameters cellA() {
        return RunParameters.of("monolithic-multipath", ReferenceCell.A);
    }

    @Test
    void sameSeed_sameResult_andAnotherSeedAnother() {
        RunParameters parameters = cellA().lasting(0.1, 5);

        RunResult first = run(Monolithic.MULTI_PATH, parameters, List.of());

        assertThat(run(Monolithic.MULTI_PATH, parameters, List.of())).isEqualTo(first);
        assertThat(run(Monolithic.MULTI_PATH, parameters.lasting(0.1, 6), List.of()))
                .isNotEqualTo(first);
    }

    private static WorkloadSetUp idle(WorkloadSetUp setUp) {
        return setUp.withMeans(setUp.means().withJobsPerSecond(0));
    }

    @Test
    void emptyQueueOfWork_leavesTheCellPrefilled() {
        RunParameters parameters =
                cellA().lasting(0.01, 1).withBatch(MonolithicTest::idle).withService(MonolithicTest::idle);

        RunResult result = run(Monolithic.SINGLE_PATH, parameters, List.of());

        assertThat(result.cpuUtilisation()).isCloseTo(0.6, within(0.0001));
        assertThat(result.placements()).isZero();
        assertThat(result.row(Workload.BATCH).meanWaitFirstAttemptSeconds()).isEmpty();
        assertThat(result.row(Workload.BATCH).conflictFraction()).isEmpty();
    }

    @Test
    void jobThatCanNeverBePlacedWhole_isAbandonedAfterAHundredAttempts() {
        SimulatedJob tooLarge = new SimulatedJob(Workload.BATCH, 0, 0, 7, Long.MAX_VALUE / 2);
        RunParameters parameters = cellA().withGeometry(new Geometry(2, 4000, 16_384, 1100, 1536, 0))
                .lasting(1, 1);

        SchedulerRow row = run(Monolithic.SINGLE_PATH, parameters, List.of(new Trace.Arrivals(List.of(tooLarge))))
                .row(Workload.BATCH);

        assertThat(row.jobsAbandoned()).isEqualTo(1);
        assertThat(row.claimsAccepted()).isEqualTo(6);
        double firstSeconds = 0.1 + 7 * 0.005;
        double eachSeconds = 0.1 + 0.005;
        assertThat(row.busyFraction() * 86_400).isCloseTo(firstSeconds + 100 * eachSeconds, within(1e-6));
        assertThat(row.wastedBusyFraction() * 86_400).isCloseTo(100 * eachSeconds, within(1e-6));
    }

    /** Nothing ends before the first job's tasks, so one attempt of the second one is in vain. */
    @Test
    void jobThatKeepsItsPlace_isTriedAgainOnlyWhenSomethingHasEnded() {
        SimulatedJob first = new SimulatedJob(Workload.BATCH, 0, 0, 6, 600_000_000_000L);
        SimulatedJob second = new SimulatedJob(Workload.BATCH, 1, 1_000_000_000L, 1, 10_000_000_000L);
        RunParameters parameters = cellA().withGeometry(new Geometry(2, 4000, 16_384, 1100, 1536, 0))
                .withRetry(new Retry(Optional.of(RetryOrder.KEEPS_PLACE), AttemptLimits.DEFAULT))
                .lasting(1, 1);

        SchedulerRow row = run(Monolithic.SINGLE_PATH, parameters, List.of(new Trace.Arrivals(List.of(first, second))))
                .row(Workload.BATCH);

        assertThat(row.jobsFullyScheduled()).isEqualTo(2);
        assertThat(row.wastedBusyFraction() * 86_400).isCloseTo(0.105, within(1e-6));
    }

    /** With one-slot workers and no time to decide it is a queue with many servers, which is easily computed otherwise. */
    @Test
    void traceOnOneSlotWorkers_waitsExactlyAsAFifoQueueDoes() {
        FifoQueue queue = new FifoQueue(13, 5000, 11);
        RunParameters parameters = cellA().withGeometry(queue.geometry())
                .withDecisionTimes(DecisionTime.parse("0s"), DecisionTime.parse("0s"))
                .lasting(30, 11);

        SchedulerRow row =
                run(Monolithic.SINGLE_PATH, parameters, List.of(queue.trace())).row(Workload.BATCH);

        assertThat(row.jobsFullyScheduled()).isEqualTo(5000);
        assertThat(row.meanWaitFullyScheduledSeconds()).hasValue(queue.meanWaitSeconds());
    }
}
