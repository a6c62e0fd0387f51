package dev.cella.simulator.megha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.DecentralSetUp;
import dev.cella.simulator.engine.DecentralSetUp.Variant;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.ImpossibleParameterException;
import dev.cella.simulator.engine.Quantiles;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.StandingJob;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.simulator.workload.Workload;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Megha in virtual time: what each message costs, what stale views cost, and who gets workers under contention. */
class MeghaSimulationTest {
    private static final long HOP = VirtualTime.NANOS_PER_MILLI / 2;

    /** Request, launch, the two reports of the end: four hops. */
    @Test
    void aJobOnAnIdleCell_isDelayedByItsHops() {
        RunResult result = run(cell(90), List.of(job(0, 0, 5, 10)));
        Quantiles delay = result.jobs().delay().orElseThrow();
        assertThat(delay.max()).isCloseTo(0.002, within(1e-12));
        assertThat(result.jobs().waits().orElseThrow().max()).isCloseTo(0.001, within(1e-12));
        assertThat(result.placements()).isEqualTo(5);
        assertThat(result.events()).containsEntry("repartitions", 0L);
    }

    /** The authors' simulator verifies without a hop: request, launch and the report of the end take three. */
    @Test
    void aJobOnAnIdleCell_inTheAuthorsSimulator_isDelayedByThreeHops() {
        for (Variant variant : List.of(Variant.PUBLIC, Variant.ORIGINAL)) {
            RunParameters run = cell(90).withDecentral(setUp().withVariant(variant));
            RunResult result = run(run, List.of(job(0, 0, 5, 10)));
            assertThat(result.jobs().delay().orElseThrow().max()).isCloseTo(0.0015, within(1e-12));
        }
    }

    /** Tasks run for whole seconds there, and so does the longest task, without which a delay is counted. */
    @Test
    void aTaskThatRunsForAPartOfASecond_inTheAuthorsSimulator_isDelayedByThreeHops() {
        RunParameters run = cell(90).withDecentral(setUp().withVariant(Variant.PUBLIC));
        RunResult result = run(run, List.of(job(0, 0, 5, 10.7)));
        assertThat(result.jobs().delay().orElseThrow().max()).isCloseTo(0.0015, within(1e-12));
    }

    /** Each job takes 10 s of its master, and one comes each second: the masters decide until the end of the run, and not longer. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void saturatedMasters_areBusyAllTheTime(int masters) {
        RunParameters run = cell(90).withDecentral(setUp().withMasters(masters, 3))
                .withDecisionTimes(DecisionTime.ofSeconds(10, 0), DecisionTime.NONE);
        double seconds = VirtualTime.seconds(run.endNanos());
        RunResult result = run(
                run,
                IntStream.range(0, (int) seconds)
                        .mapToObj(number -> job(number, number, 1, 1))
                        .toList());

        assertThat(result.row(Workload.BATCH).busyFraction()).isCloseTo(1, within(masters / seconds));
        assertThat(result.row(Workload.BATCH).meanWaitFirstAttemptSeconds().orElseThrow())
                .isCloseTo(seconds * (1 - masters / 10.0) / 2, within(10.0));
    }

    /** Three masters see an empty cell and each places jobs of the whole of it: nothing is lost, and nobody runs twice. */
    @Test
    void staleViews_areRefusedAndEveryTaskRunsOnce() {
        for (Variant variant : Variant.values()) {
            RunParameters run = cell(90).withDecentral(setUp().withVariant(variant));
            RunResult result = run(
                    run,
                    IntStream.range(0, 6)
                            .mapToObj(number -> job(number, number, 60, 7))
                            .toList());

            assertThat(result.jobs().ended()).isEqualTo(6);
            assertThat(result.placements()).isEqualTo(360);
            assertThat(result.events().get("inconsistencies")).isPositive();
            assertThat(result.events().get("repartitions")).isPositive();
            assertThat(result.cpuUtilisation() * 90 * VirtualTime.seconds(run.endNanos()))
                    .isCloseTo(360 * 7, within(0.1));
        }
    }

    /**
     * A separate program counts as many in these jobs, with whole time steps as here. With the authors' floating-point times it
     * counts 31,251 in their trace YH1 on 1,000 workers, and 6,401 on 10,000, as their table has it.
     */
    @Test
    void original_refusesAsOftenAsTheAuthorsSimulator() {
        RunParameters run = cell(90).withDecentral(setUp().withVariant(Variant.ORIGINAL));
        RunResult result = run(
                run,
                IntStream.range(0, 60)
                        .mapToObj(number -> job(number, 3 * number, 10 + number * 7 % 60, 5 + number * 11 % 17))
                        .toList());

        assertThat(result.jobs().ended()).isEqualTo(60);
        assertThat(result.events()).containsEntry("inconsistencies", 7_912L);
    }

    @Test
    void oneSeed_givesOneResult() {
        RunParameters run = cell(50).withDecentral(setUp().withVariant(Variant.PUBLIC));
        List<SimulatedJob> jobs = IntStream.range(0, 20)
                .mapToObj(number -> job(number, number, 12, 9))
                .toList();
        assertThat(run(run, jobs)).isEqualTo(run(run, jobs));
    }

    /**
     * "The number of preemptions, preemption attempts, and repartitions [...] is found to increase with the decrease in
     * cluster size" (VI-E).
     */
    @Test
    void usersBelowTheirShares_preempt_andLessInALargerCell() {
        long small = contended(80).events().getOrDefault("preemptions", 0L);
        long middle = contended(160).events().getOrDefault("preemptions", 0L);
        long large = contended(800).events().getOrDefault("preemptions", 0L);
        assertThat(small).isGreaterThan(middle);
        assertThat(middle).isPositive();
        assertThat(large).isZero();
    }

    private static RunResult contended(int workers) {
        RunParameters run = cell(workers).withDecentral(setUp().withShares(List.of(10.0, 25.0, 15.0, 50.0)));
        List<SimulatedJob> jobs = IntStream.range(0, 12)
                .mapToObj(number -> job(number, 5 * number, 40, 60))
                .toList();
        RunResult result = run(run, jobs);
        assertThat(result.jobs().ended()).isEqualTo(12);
        return result;
    }

    /** They belong to no user, so no user has more than its share because of them. */
    @Test
    void standingTasks_areNotPreempted() {
        RunParameters run = cell(80).withDecentral(setUp().withShares(List.of(50.0, 50.0)));
        StandingJob standing = new StandingJob(80, 1000, 1024, VirtualTime.nanos(100.0));
        RunResult result = run(
                run,
                new Trace.Arrivals(List.of(job(0, 0, 40, 60), job(1, 0, 40, 60))),
                new Trace.Standing(List.of(standing)));

        assertThat(result.events().getOrDefault("preemptions", 0L)).isZero();
        assertThat(result.jobs().ended()).isEqualTo(2);
    }

    @Test
    void tooFewWorkers_areRefusedBeforeTheRun() {
        assertThatThrownBy(() -> run(cell(8), List.of()))
                .isInstanceOf(ImpossibleParameterException.class)
                .hasMessageContaining("8 workers cannot be divided");
    }

    private static DecentralSetUp setUp() {
        return DecentralSetUp.DEFAULT.withTimes(HOP, 0);
    }

    private static RunParameters cell(int workers) {
        return RunParameters.of("megha", ReferenceCell.A)
                .withGeometry(new Geometry(workers, 1000, 1024, 1000, 1024, 0))
                .withDecisionTimes(DecisionTime.NONE, DecisionTime.NONE)
                .withDecentral(setUp())
                .lasting(0.02, 1);
    }

    private static SimulatedJob job(int number, double atSeconds, int tasks, double seconds) {
        return new SimulatedJob(
                Workload.BATCH, number, VirtualTime.nanos(atSeconds), tasks, VirtualTime.nanos(seconds));
    }

    private static RunResult run(RunParameters run, List<SimulatedJob> jobs) {
        return run(run, new Trace.Arrivals(jobs));
    }

    private static RunResult run(RunParameters run, Trace... traces) {
        return new MeghaSimulation().run(run, RunWork.of(run, List.of(traces)), RunProgress.UNHEARD);
    }
}
