package dev.cella.simulator.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.scheduling.loop.RetryOrder;
import dev.cella.simulator.engine.AttemptLimits;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.Retry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.engine.SchedulerRow;
import dev.cella.simulator.engine.WorkloadSetUp;
import dev.cella.simulator.experiment.SingleServerQueue;
import dev.cella.simulator.monolithic.Monolithic;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.Workload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two frameworks and an allocator. */
final class TwoLevelTest {
    private static final TwoLevel OFFERS = new TwoLevel();
    private static final double DAY_SECONDS = 86_400;

    private static RunResult run(RunParameters parameters, Trace... traces) {
        return OFFERS.run(parameters, RunWork.of(parameters, List.of(traces)), RunProgress.UNHEARD);
    }

    private static RunParameters cellA(double serviceSeconds) {
        return RunParameters.of("offers", ReferenceCell.A)
                .withDecisionTimes(DecisionTime.ofSeconds(0.1, 0.005), DecisionTime.ofSeconds(serviceSeconds, 0.005));
    }

    private static WorkloadSetUp idle(WorkloadSetUp setUp) {
        return setUp.withMeans(setUp.means().withJobsPerSecond(0));
    }

    @Test
    void sameSeed_sameResult_andAnotherSeedAnother() {
        RunParameters parameters = cellA(1).lasting(0.1, 5);
        RunResult first = run(parameters);
        assertThat(run(parameters)).isEqualTo(first);
        assertThat(run(parameters.lasting(0.1, 6))).isNotEqualTo(first);
    }

    @Test
    void idleFrameworks_leaveTheCellPrefilled() {
        RunResult result =
                run(cellA(1).lasting(0.01, 1).withBatch(TwoLevelTest::idle).withService(TwoLevelTest::idle));
        assertThat(result.cpuUtilisation()).isCloseTo(0.6, within(0.0001));
        assertThat(result.placements()).isZero();
    }

    /** A framework alone is the queue M/G/1, with the allocator's 1 ms before each attempt. */
    @ParameterizedTest
    @CsvSource({"BATCH, 1, 0.1", "SERVICE, 7, 200"})
    void frameworkAlone_isBusyAndWaitsAsTheQueueDoes(Workload workload, double days, double jobSeconds) {
        RunParameters both = cellA(1).lasting(days, 1)
                .withDecisionTimes(
                        DecisionTime.ofSeconds(jobSeconds, 0.005), DecisionTime.ofSeconds(jobSeconds, 0.005));
        RunParameters alone =
                workload == Workload.BATCH ? both.withService(TwoLevelTest::idle) : both.withBatch(TwoLevelTest::idle);
        SingleServerQueue theory = SingleServerQueue.of(alone);
        SchedulerRow row = run(alone).row(workload);
        assertThat(row.busyFraction()).isCloseTo(theory.busyFraction(), within(0.1 * theory.busyFraction()));
        double expected = theory.meanWaitSeconds() + 0.001;
        assertThat(row.meanWaitFirstAttemptSeconds().orElseThrow()).isCloseTo(expected, within(0.1 * expected));
        assertThat(row.jobsAbandoned()).isZero();
    }

    /**
     * "As expected, the utilization graphs for the schedulers (Figure 4.4b) look very similar to those of the monolithic
     * multi-path case" (4.3).
     */
    @Test
    void shortDecisions_keepTheFrameworksAsBusyAsMultiPathIs() {
        RunParameters run = cellA(1).lasting(1, 1);
        RunParameters multiPath = run.of("monolithic-multipath");
        double expected = Monolithic.MULTI_PATH
                .run(multiPath, RunWork.of(multiPath, List.of()), RunProgress.UNHEARD)
                .busyFraction();
        RunResult offers = run(run);
        double both = offers.row(Workload.BATCH).busyFraction()
                + offers.row(Workload.SERVICE).busyFraction();
        assertThat(both).isCloseTo(expected, within(0.1 * expected));
    }

    @Test
    void jobThatCanNeverBePlacedWhole_isAbandoned_andItsTasksStay() {
        SimulatedJob tooLarge = new SimulatedJob(Workload.BATCH, 0, 0, 7, Long.MAX_VALUE / 2);
        RunParameters parameters = cellA(1).withGeometry(new Geometry(2, 4000, 16_384, 1100, 1536, 0))
                .lasting(1, 1);
        SchedulerRow row =
                run(parameters, new Trace.Arrivals(List.of(tooLarge))).row(Workload.BATCH);
        assertThat(row.jobsAbandoned()).isEqualTo(1);
        assertThat(row.claimsAccepted()).isEqualTo(6);
    }

    /** The first offer is used. The rest has room for no task, so each of the 100 later attempts of the job declines it. */
    @Test
    void offers_areCounted_andThoseThatWereGivenBackWhole() {
        SimulatedJob tooLarge = new SimulatedJob(Workload.BATCH, 0, 0, 4, Long.MAX_VALUE / 2);
        RunParameters oneMachine = cellA(1).withGeometry(new Geometry(1, 4000, 16_384, 1100, 1536, 0))
                .lasting(1, 1);
        assertThat(run(oneMachine, new Trace.Arrivals(List.of(tooLarge))).events())
                .containsExactlyInAnyOrderEntriesOf(Map.of("offersMade", 101L, "offersDeclined", 100L));
    }

    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;

    /** Two machines with room for three tasks each, and a service framework that decides for 100 s. */
    private static RunParameters twoMachines(RetryOrder order) {
        return cellA(100)
                .withGeometry(new Geometry(2, 4000, 16_384, 1100, 1536, 0))
                .withRetry(new Retry(Optional.of(order), AttemptLimits.DEFAULT))
                .lasting(0.1, 1);
    }

    private static SchedulerRow batchRow(RunParameters parameters, SimulatedJob... jobs) {
        return run(parameters, new Trace.Arrivals(List.of(jobs))).row(Workload.BATCH);
    }

    /** Figure 4.4 in small: what a thinking framework was offered is lost to the other, which tries and gives up. */
    @Test
    void longDecision_locksTheCell_soTheOthersJobIsAbandonedAfterAHundredAttempts() {
        SchedulerRow batch = batchRow(
                twoMachines(RetryOrder.BEHIND_OTHERS),
                new SimulatedJob(Workload.SERVICE, 0, 0, 1, MINUTE),
                new SimulatedJob(Workload.BATCH, 0, SECOND, 1, MINUTE));
        assertThat(batch.jobsAbandoned()).isEqualTo(1);
        assertThat(batch.claimsAccepted()).isZero();
        assertThat(batch.busyFraction() * 0.1 * DAY_SECONDS).isCloseTo(100 * 0.105, within(0.01));
    }

    /** A framework that keeps its job's place does not try with nothing. It waits for the end of the other's attempt. */
    @Test
    void longDecision_letsAJobThatKeepsItsPlaceWaitUntilTheAttemptEnds() {
        SchedulerRow batch = batchRow(
                twoMachines(RetryOrder.KEEPS_PLACE),
                new SimulatedJob(Workload.SERVICE, 0, 0, 1, MINUTE),
                new SimulatedJob(Workload.BATCH, 0, SECOND, 1, MINUTE));
        assertThat(batch.jobsFullyScheduled()).isEqualTo(1);
        assertThat(batch.meanWaitFirstAttemptSeconds().orElseThrow()).isCloseTo(99.007, within(0.01));
    }

    /** Three slots are freed during the service attempt. The other three come back at its end, and nothing else ends then. */
    @Test
    void jobThatFoundTooLittle_isTriedAgainWhenTheOtherReturnsItsOffer() {
        SchedulerRow batch = batchRow(
                twoMachines(RetryOrder.KEEPS_PLACE),
                new SimulatedJob(Workload.BATCH, 0, 0, 3, 10 * SECOND),
                new SimulatedJob(Workload.SERVICE, 0, SECOND, 1, 100 * MINUTE),
                new SimulatedJob(Workload.BATCH, 1, 2 * SECOND, 5, 100 * MINUTE));
        assertThat(batch.jobsFullyScheduled()).isEqualTo(2);
        assertThat(batch.p90WaitFullyScheduledSeconds().orElseThrow()).isCloseTo(99.13, within(0.1));
    }

    /** Nothing ends before the first job's tasks, so one attempt of the second one is in vain. */
    @Test
    void jobThatKeepsItsPlace_isTriedAgainOnlyWhenSomethingHasEnded() {
        SchedulerRow batch = batchRow(
                twoMachines(RetryOrder.KEEPS_PLACE),
                new SimulatedJob(Workload.BATCH, 0, 0, 6, 10 * MINUTE),
                new SimulatedJob(Workload.BATCH, 1, SECOND, 1, 10 * SECOND));
        assertThat(batch.jobsFullyScheduled()).isEqualTo(2);
        assertThat(batch.wastedBusyFraction() * 0.1 * DAY_SECONDS).isCloseTo(0.105, within(1e-6));
    }

    @Test
    void amounts_changeHandsWithoutLoss() {
        Random random = new Random(3);
        OfferedAmounts one = OfferedAmounts.whole(new Geometry(50, 4000, 16_384, 1100, 1536, 0));
        OfferedAmounts other = new OfferedAmounts(50);
        for (int step = 0; step < 2_000; step++) {
            int machine = random.nextInt(50);
            switch (random.nextInt(3)) {
                case 0 -> one.takeAll(other);
                case 1 -> other.takeAll(one);
                default -> {
                    one.refillPool();
                    int drawn = one.draw(1100, 1536, random);
                    if (drawn != OfferedAmounts.NONE) {
                        one.take(drawn, 1100, 1536);
                        other.add(machine, 1100, 1536);
                    }
                }
            }
            assertThat(one.sums().plus(other.sums()).at(0)).isEqualTo(200_000);
        }
        one.takeAll(other);
        assertThat(other.isEmpty()).isTrue();
        assertThat(other.machines()).isZero();
    }
}
