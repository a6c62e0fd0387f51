package dev.cella.bench.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.simulator.engine.ImpossibleParameterException;
import dev.cella.simulator.engine.Quantiles;
import dev.cella.simulator.experiment.Experiments;
import dev.cella.simulator.sweep.MeasuredRun;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Trace;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that it measures what it claims; a test cannot judge the speed. */
class TraceBenchTest {
    private static final int MACHINES = 400;
    private static final int TASKS = 4_000;
    private static final double LOAD = 0.9;

    private final TraceBench bench = bench(MACHINES, TASKS, LOAD);

    private static TraceBench bench(int machines, int tasks, double load) {
        return new TraceBench(new Experiments(SchedulerTypes.installed().providers()), machines, tasks, load, 1);
    }

    @Test
    void measure_everyArchitecture_placesEveryTask() throws InterruptedException {
        TraceFigures figures = bench.measure(bench.usual(), estimate -> {});

        assertThat(figures.runs())
                .extracting(run -> run.parameters().architecture())
                .isEqualTo(bench.usual());
        assertThat(figures.runs())
                .allSatisfy(run -> assertThat(run.result().placements())
                        .as(run.parameters().architecture())
                        .isEqualTo(TASKS));
    }

    /** Without decision time, both are the queue with one server for each worker. */
    @Test
    void measure_oneQueueInTwoArchitectures_hasTheSameWaits_andJobsWait() throws InterruptedException {
        List<MeasuredRun> runs = bench.measure(List.of("monolithic", "replicated"), estimate -> {})
                .runs();

        assertThat(waits(runs.get(1))).isEqualTo(waits(runs.get(0)));
        assertThat(waits(runs.get(0)).mean()).isPositive();
    }

    private static Quantiles waits(MeasuredRun run) {
        return run.result().jobs().waits().orElseThrow();
    }

    @Test
    void draw_sameSeed_isTheSameTrace_andHasExactlyTheTasks() {
        Trace.Arrivals trace = TraceJobs.draw(MACHINES, TASKS, LOAD, 7);

        assertThat(arrivals(TraceJobs.draw(MACHINES, TASKS, LOAD, 7))).isEqualTo(arrivals(trace));
        assertThat(arrivals(TraceJobs.draw(MACHINES, TASKS, LOAD, 8))).isNotEqualTo(arrivals(trace));
        assertThat(trace.jobs().stream().mapToInt(SimulatedJob::tasks).sum()).isEqualTo(TASKS);
    }

    private static List<String> arrivals(Trace.Arrivals trace) {
        return trace.jobs().stream()
                .map(job -> job.submittedNanos() + " " + job.tasks() + " "
                        + job.times().longest())
                .toList();
    }

    @Test
    void draw_ofManyTasks_hasTheSizesAndTheLoadThatItClaims() {
        int machines = 50_000;
        List<SimulatedJob> jobs = TraceJobs.draw(machines, 312_000, LOAD, 1).jobs();
        int[] tasks = jobs.stream().mapToInt(SimulatedJob::tasks).sorted().toArray();

        assertThat(tasks[tasks.length / 2]).isCloseTo(15, within(2));
        assertThat(Arrays.stream(tasks).average().orElseThrow()).isCloseTo(42, within(4.0));
        assertThat(workNanos(jobs) / machines / jobs.get(jobs.size() - 1).submittedNanos())
                .isCloseTo(LOAD, within(0.1));
    }

    private static double workNanos(List<SimulatedJob> jobs) {
        double nanos = 0;
        for (SimulatedJob job : jobs) {
            for (int task = 0; task < job.tasks(); task++) {
                nanos += job.times().nanos(task);
            }
        }
        return nanos;
    }

    @Test
    void noTasksMachinesOrLoad_areRefused() {
        assertThatThrownBy(() -> bench(MACHINES, 0, LOAD))
                .isInstanceOf(ImpossibleParameterException.class)
                .hasMessageContaining("a trace has 1 to 10000000 tasks, not 0");
        assertThatThrownBy(() -> bench(0, TASKS, LOAD))
                .isInstanceOf(ImpossibleParameterException.class)
                .hasMessageContaining("machines, not 0");
        assertThatThrownBy(() -> bench(MACHINES, TASKS, 0))
                .isInstanceOf(ImpossibleParameterException.class)
                .hasMessageContaining("a load is above 0");
    }
}
