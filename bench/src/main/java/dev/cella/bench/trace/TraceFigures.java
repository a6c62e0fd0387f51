package dev.cella.bench.trace;

import dev.cella.simulator.sweep.MeasuredRun;
import java.util.List;

/**
 * The cost of one trace in some architectures.
 *
 * @param jobs of the trace
 * @param threads how many architectures ran at a time
 * @param seconds from the first start to the last end
 * @param cpuSeconds of the whole process meanwhile, with its compilers and its collector
 * @param runs one for each architecture
 */
public record TraceFigures(int jobs, int threads, double seconds, double cpuSeconds, List<MeasuredRun> runs) {
    private static final double MICROS_PER_SECOND = 1e6;

    public TraceFigures {
        runs = List.copyOf(runs);
    }

    /** The CPU time of the thread that simulated, by the tasks that were placed. */
    public static double cpuMicrosPerTask(MeasuredRun run) {
        return MICROS_PER_SECOND / run.placementsPerCpuSecond();
    }
}
