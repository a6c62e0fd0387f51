package dev.cella.simulator.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.DecentralSetUp;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Apollo in virtual time, beside Sparrow on the same work. */
class ApolloSimulationTest {
    private static final int MACHINES = 200;

    /** The wait of a job on an idle cell is the hop to the machine; the end is reported a hop later. */
    @Test
    void aJobOnAnIdleCell_isDelayedByItsHops() {
        RunResult result = run(new ApolloSimulation(), List.of(job(0, 0, 1, 10)));
        assertThat(result.jobs().delay().orElseThrow().max()).isCloseTo(0.001, within(1e-12));
    }

    /**
     * One task of a job of 20 s on average runs 1,000 s, the others a moment. Half of them wait behind it on its machine, where
     * nothing happens, beside an idle machine. They start there once they are expected to wait significantly longer.
     */
    @Test
    void tasksBehindAStraggler_startElsewhere() {
        long[] nanos = new long[50];
        Arrays.fill(nanos, VirtualTime.nanos(0.01));
        nanos[0] = VirtualTime.nanos(1_000.0);
        SimulatedJob job = new SimulatedJob(Workload.BATCH, 0, 0, nanos.length, new SimulatedJob.Each(nanos));
        RunParameters run = parameters(new ApolloSimulation(), DecentralSetUp.DEFAULT)
                .withGeometry(new Geometry(2, 1000, 1024, 1000, 1024, 0));
        RunResult result = run(new ApolloSimulation(), run, List.of(job));

        assertThat(result.placements()).isEqualTo(nanos.length);
        assertThat(result.queueWait().orElseThrow().max()).isLessThan(100);
        assertThat(result.events().get("duplicatesUseful")).isPositive();
    }

    @Test
    void tasksWithoutMemory_run() {
        RunParameters run = parameters(new ApolloSimulation(), DecentralSetUp.DEFAULT)
                .withGeometry(new Geometry(1, 1000, 1024, 1000, 0, 0));
        RunResult result = run(new ApolloSimulation(), run, List.of(job(0, 0, 3, 10)));
        assertThat(result.jobs().delay().orElseThrow().max()).isCloseTo(20, within(0.1));
    }

    /**
     * "conflicts are not always harmful" and "Duplicates are discarded when one task starts" (3.4): every task runs once,
     * however many rows it had.
     */
    @Test
    void busyMachines_areCorrectedByDuplicates_andEveryTaskRunsOnce() {
        List<SimulatedJob> jobs = busy(0.9);
        RunResult result = run(new ApolloSimulation(), jobs);
        long tasks = jobs.stream().mapToInt(SimulatedJob::tasks).sum();

        assertThat(result.jobs().ended()).isEqualTo(jobs.size());
        assertThat(result.placements()).isEqualTo(tasks);
        assertThat(result.events().get("duplicates")).isPositive();
        assertThat(result.events().get("duplicatesUseful"))
                .isPositive()
                .isLessThanOrEqualTo(result.events().get("duplicates"));
    }

    /** A scheduler that knows the waits of machines does better than one that probes at random, and worse than none at all. */
    @Test
    void estimates_shortenTheWaitsOfProbes() {
        List<SimulatedJob> jobs = busy(0.8);
        double apollo =
                run(new ApolloSimulation(), jobs).jobs().delay().orElseThrow().mean();
        double sparrow =
                run(new SparrowSimulation(), jobs).jobs().delay().orElseThrow().mean();
        assertThat(apollo).isLessThan(sparrow);
    }

    /** "a job with n tokens can have up to cn opportunistic tasks" (3.5): 2 regular and 2 spare tasks at a time, so 10 take 3 turns. */
    @Test
    void tokens_boundTheTasksOfAJobThatRun() {
        RunResult result =
                run(new ApolloSimulation(), List.of(job(0, 0, 10, 10)), DecentralSetUp.DEFAULT.withTokens(2, 1));

        assertThat(result.jobs().delay().orElseThrow().max()).isCloseTo(20, within(0.1));
        assertThat(result.events().get("spareStarted")).isPositive();
        assertThat(result.events()).doesNotContainKey("spareEnded");
    }

    /** "any opportunistic task can be preempted or terminated if the server is under resource pressure" (3.5). */
    @Test
    void spareWork_endsForRegularWork_isUpgraded_andEveryTaskRunsToItsEndOnce() {
        List<SimulatedJob> jobs = busy(0.95);
        DecentralSetUp withTokens = DecentralSetUp.DEFAULT.withTokens(3, 2);
        RunResult result = run(new ApolloSimulation(), jobs, withTokens);
        long tasks = jobs.stream().mapToInt(SimulatedJob::tasks).sum();
        long spareEnded = result.events().getOrDefault("spareEnded", 0L);

        assertThat(result.jobs().ended()).isEqualTo(jobs.size());
        assertThat(spareEnded).isPositive();
        assertThat(result.events().get("upgrades")).isPositive();
        assertThat(result.placements()).isEqualTo(tasks + spareEnded);
        assertThat(run(new ApolloSimulation(), jobs, withTokens)).isEqualTo(result);
    }

    @Test
    void oneSeed_givesOneResult() {
        List<SimulatedJob> jobs = busy(0.9);
        assertThat(run(new ApolloSimulation(), jobs)).isEqualTo(run(new ApolloSimulation(), jobs));
    }

    /** Jobs of 10 tasks whose run times are exponential around 20 s. */
    private static List<SimulatedJob> busy(double rho) {
        Random random = new Random(3);
        List<SimulatedJob> jobs = new ArrayList<>();
        double seconds = 0;
        for (int number = 0; number < 600; number++) {
            seconds += -Math.log(1 - random.nextDouble()) * 10 * 20 / (rho * MACHINES);
            long[] nanos = new long[10];
            for (int task = 0; task < nanos.length; task++) {
                nanos[task] = VirtualTime.nanos(-20 * Math.log(1 - random.nextDouble()));
            }
            jobs.add(new SimulatedJob(
                    Workload.BATCH, number, VirtualTime.nanos(seconds), 10, new SimulatedJob.Each(nanos)));
        }
        return jobs;
    }

    private static SimulatedJob job(int number, double atSeconds, int tasks, double seconds) {
        return new SimulatedJob(
                Workload.BATCH, number, VirtualTime.nanos(atSeconds), tasks, VirtualTime.nanos(seconds));
    }

    private static RunResult run(Architecture architecture, List<SimulatedJob> jobs) {
        return run(architecture, jobs, DecentralSetUp.DEFAULT);
    }

    private static RunResult run(Architecture architecture, List<SimulatedJob> jobs, DecentralSetUp decentral) {
        return run(architecture, parameters(architecture, decentral), jobs);
    }

    private static RunParameters parameters(Architecture architecture, DecentralSetUp decentral) {
        return RunParameters.of(architecture.label(), ReferenceCell.A)
                .withGeometry(new Geometry(MACHINES, 1000, 1024, 1000, 1024, 0))
                .withDecisionTimes(DecisionTime.NONE, DecisionTime.NONE)
                .withDecentral(decentral)
                .lasting(0.1, 1);
    }

    private static RunResult run(Architecture architecture, RunParameters run, List<SimulatedJob> jobs) {
        return architecture.run(run, RunWork.of(run, List.of(new Trace.Arrivals(jobs))), RunProgress.UNHEARD);
    }
}
