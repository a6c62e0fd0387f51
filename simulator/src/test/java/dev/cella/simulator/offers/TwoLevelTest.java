package dev.cella.simulator.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.Geometry;
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
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

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

    /** "M/G/1 holds where one framework is alone": busy is the arrival rate times the mean decision time. */
    @Test
    void frameworkAlone_isBusyAsTheQueueIs() {
        RunResult result = run(cellA(1).lasting(1, 1).withService(TwoLevelTest::idle));
        double expected = 0.212 * (0.1 + 0.005 * 37.7);
        assertThat(result.row(Workload.BATCH).busyFraction()).isCloseTo(expected, within(0.05 * expected));
        assertThat(result.row(Workload.BATCH).jobsAbandoned()).isZero();
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

    /** Figure 4.4 in small: what a thinking framework was offered is lost to the other. */
    @Test
    void longDecision_locksTheCell_untilItsAttemptEnds() {
        long minute = 60_000_000_000L;
        SimulatedJob service = new SimulatedJob(Workload.SERVICE, 0, 0, 1, minute);
        SimulatedJob batch = new SimulatedJob(Workload.BATCH, 1, 1_000_000_000L, 1, minute);
        RunParameters parameters = cellA(100)
                .withGeometry(new Geometry(2, 4000, 16_384, 1100, 1536, 0))
                .lasting(0.1, 1);
        RunResult result = run(parameters, new Trace.Arrivals(List.of(service, batch)));
        assertThat(result.row(Workload.BATCH).meanWaitFirstAttemptSeconds().orElseThrow())
                .isCloseTo(99.007, within(0.01));
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

    /** A week of cell A; {@code -Dcella.offers.days=7} prints how long it takes. */
    @Test
    void days_areSimulatedAndTimed() {
        double days = Double.parseDouble(System.getProperty("cella.offers.days", "0.05"));
        for (int again = 0; again < 3; again++) {
            long began = System.nanoTime();
            RunResult result = run(cellA(1).lasting(days, 1 + again));
            System.out.printf(
                    Locale.ROOT, "offers, cell A, %.2f days: %,d ms%n", days, (System.nanoTime() - began) / 1_000_000);
            double seconds = days * DAY_SECONDS;
            assertThat(result.row(Workload.BATCH).jobsSubmitted() / seconds).isCloseTo(0.212, within(0.03));
        }
    }
}
