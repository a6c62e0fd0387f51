package dev.cella.bench.trace;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.compare.Comparison;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.ImpossibleParameterException;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.experiment.Experiments;
import dev.cella.simulator.sweep.Estimate;
import dev.cella.simulator.sweep.MeasuredRun;
import dev.cella.simulator.sweep.Sweep;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.Trace;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Consumer;

/**
 * A trace on workers of one slot, in each architecture once, as {@code cella compare} runs it: one after another, on as many
 * threads as there are processors. A decision takes no virtual time, so the cost is that of the simulation alone.
 */
public final class TraceBench {
    private static final int TASKS_MAX = 10_000_000;
    private static final double LOAD_MAX = 100;
    private static final long CPU_MILLI = 1_000;
    private static final long MEMORY_MIB = 1_024;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Experiments experiments;
    private final int threads = Runtime.getRuntime().availableProcessors();
    private final Trace.Arrivals trace;
    private final RunParameters run;

    /**
     * @param machines workers of one slot
     * @param tasks of all jobs of the trace together
     * @param load the work that arrives, by what the workers can do meanwhile
     * @param seed of the trace and of the runs
     */
    public TraceBench(Experiments experiments, int machines, int tasks, double load, long seed) {
        if (tasks < 1 || tasks > TASKS_MAX) {
            throw new ImpossibleParameterException(
                    "a trace has 1 to " + TASKS_MAX + " tasks, not " + tasks, "--tasks 312000");
        }
        if (!(load > 0 && load <= LOAD_MAX)) {
            throw new ImpossibleParameterException(
                    "a load is above 0 and at most " + LOAD_MAX + ", not " + load, "--load 0.01");
        }
        Geometry oneSlot = new Geometry(machines, CPU_MILLI, MEMORY_MIB, CPU_MILLI, MEMORY_MIB, 0);
        this.experiments = experiments;
        this.trace = TraceJobs.draw(machines, tasks, load, seed);
        this.run = RunParameters.of("replicated", ReferenceCell.A)
                .withGeometry(oneSlot)
                .withDecisionTimes(DecisionTime.NONE, DecisionTime.NONE)
                .lasting(Comparison.days(List.of(trace)).orElseThrow(), seed);
    }

    /** The architectures that {@code cella compare} runs if none is named. */
    public List<String> usual() {
        return Comparison.usual(
                experiments.architectures().stream().map(Architecture::label).toList());
    }

    /** The architecture's name, if there is one. */
    public String known(String architecture) {
        return experiments.architecture(run.of(architecture)).label();
    }

    /** Runs the trace in these architectures; the listener hears how far they are. */
    public TraceFigures measure(List<String> architectures, Consumer<Estimate> listener) throws InterruptedException {
        List<RunParameters> runs = architectures.stream().map(run::of).toList();
        long beganNanos = System.nanoTime();
        long cpuBeganNanos = processCpuNanos();
        List<MeasuredRun> measured = new Sweep(experiments, threads, listener).run(runs, List.of(trace));
        return new TraceFigures(
                trace.jobs().size(),
                threads,
                (System.nanoTime() - beganNanos) / NANOS_PER_SECOND,
                (processCpuNanos() - cpuBeganNanos) / NANOS_PER_SECOND,
                measured);
    }

    private static long processCpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
