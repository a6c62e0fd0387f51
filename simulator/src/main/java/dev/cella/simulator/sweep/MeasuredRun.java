package dev.cella.simulator.sweep;

import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.experiment.SimulationReport;
import dev.cella.simulator.workload.Trace;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Map;

/** A finished run, its result, and its wall time and processor time. */
public record MeasuredRun(RunParameters parameters, RunResult result, double wallSeconds, double cpuSeconds) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Runs it on the calling thread. */
    public static MeasuredRun of(
            Architecture architecture, RunParameters asked, List<Trace> traces, RunProgress progress) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        RunParameters parameters = architecture.adopt(asked);
        long wallBegan = System.nanoTime();
        long cpuBegan = threads.getCurrentThreadCpuTime();
        RunResult result = architecture.run(parameters, RunWork.of(parameters, traces), progress);
        return new MeasuredRun(
                parameters,
                result,
                (System.nanoTime() - wallBegan) / NANOS_PER_SECOND,
                (threads.getCurrentThreadCpuTime() - cpuBegan) / NANOS_PER_SECOND);
    }

    /** The report of {@link SimulationReport}; the traces are named as the user named them. */
    public Map<String, Object> report(List<String> traces) {
        return SimulationReport.of(parameters, traces, result, wallSeconds, cpuSeconds);
    }

    public double placementsPerCpuSecond() {
        return result.placements() / cpuSeconds;
    }
}
