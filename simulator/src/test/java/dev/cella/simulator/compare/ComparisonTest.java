package dev.cella.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduler.batch.fair.FairSchedulerProvider;
import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.experiment.Experiments;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.simulator.workload.Workload;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One small trace through every architecture. */
class ComparisonTest {
    private static final Experiments EXPERIMENTS =
            new Experiments(List.of(new BatchSchedulerProvider(), new FairSchedulerProvider()));
    private static final List<Trace> TRACES = List.of(new Trace.Arrivals(IntStream.range(0, 30)
            .mapToObj(number -> new SimulatedJob(
                    Workload.BATCH, number, VirtualTime.nanos(number), 5, VirtualTime.nanos(10 + number % 7)))
            .toList()));
    private static final RunParameters RUN = RunParameters.of("replicated", ReferenceCell.A)
            .withGeometry(new Geometry(200, 1000, 1024, 1000, 1024, 0))
            .withDecisionTimes(DecisionTime.ofSeconds(0.01, 0), DecisionTime.ofSeconds(0.02, 0))
            .lasting(0.01, 1);

    @Test
    void everyArchitecture_endsEveryJob_andHasARowAndAParagraph() {
        Comparison comparison = compared();

        assertThat(comparison.names()).hasSize(9);
        for (String name : comparison.names()) {
            assertThat(comparison
                            .value(name, ComparedFigure.ENDED)
                            .orElseThrow()
                            .mean())
                    .as(name)
                    .isEqualTo(30);
            assertThat(comparison
                            .value(name, ComparedFigure.NOT_PLACED)
                            .orElseThrow()
                            .mean())
                    .as(name)
                    .isZero();
            assertThat(comparison
                            .value(name, ComparedFigure.UTILISATION)
                            .orElseThrow()
                            .mean())
                    .as(name)
                    .isCloseTo(100.0 * taskSeconds() / (200 * 864), within(0.01));
        }
        String page = comparison.files().get("compare.html");
        assertThat(page)
                .contains("How to read a row", "<svg", "<small>", "from the least to the most")
                .doesNotContain("<script", "http://", "NaN");
        assertThat(page)
                .contains(
                        "Decision time of batch jobs 10ms+0s*tasks, of service jobs 20ms+0s*tasks. The architecture monolithic"
                                + " has that of service jobs for all jobs.");
        comparison.names().forEach(name -> assertThat(page).contains("<dt>" + name + "<dd>"));
    }

    private static double taskSeconds() {
        return IntStream.range(0, 30)
                .mapToDouble(number -> 5 * (10 + number % 7))
                .sum();
    }

    @Test
    void report_hasTheSpreadOverTheSeeds() {
        assertThat(compared().report()).containsEntry("machines", 200).containsEntry("seeds", 2);
        List<?> rows = (List<?>) compared().report().getOrDefault("architectures", List.of());
        assertThat(rows).hasSize(9);
        for (Object row : rows) {
            assertThat(((Map<?, ?>) row).keySet())
                    .map(String::valueOf)
                    .containsExactly(
                            "name",
                            "waitP50",
                            "waitP99",
                            "delayP50",
                            "delayP99",
                            "utilisation",
                            "conflictsPerThousand",
                            "fairness",
                            "jobsNotPlaced",
                            "jobsEnded",
                            "cpuSeconds");
        }
        assertThat(new ComparedValue(2, 1, 3).text()).isEqualTo("2.00 (1.00-3.00)");
        assertThat(new ComparedValue(0.25, 0.25, 0.25).text()).isEqualTo("0.250");
    }

    @Test
    void aRunOfATrace_endsAfterItsLongestTask() {
        assertThat(Comparison.days(TRACES).orElseThrow() * VirtualTime.SECONDS_PER_DAY)
                .isCloseTo(29 + 2 * 16, within(1e-6));
        assertThat(Comparison.days(List.of())).isEmpty();
    }

    private static Comparison compared() {
        Comparison comparison = new Comparison("of the test", RUN);
        List<String> names = Comparison.usual(
                EXPERIMENTS.architectures().stream().map(Architecture::label).toList());
        for (Comparison.Entry entry : Comparison.entries(RUN, names, List.of(), 2)) {
            comparison.add(
                    entry.name(), entry.runs().stream().map(ComparisonTest::run).toList());
        }
        return comparison;
    }

    private static Comparison.Run run(RunParameters asked) {
        Architecture architecture = EXPERIMENTS.architecture(asked);
        RunParameters run = architecture.adopt(asked);
        return new Comparison.Run(architecture.run(run, RunWork.of(run, TRACES), RunProgress.UNHEARD), 0);
    }
}
