package dev.cella.bench.plan;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Placements planned per second on one thread, one plan of a {@link WaitingJob} after another. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class PlanBenchmark {
    /** How many machines the cell has. */
    @Param({"1000", "10000", "50000"})
    public int machines;

    @Param
    public WaitingJob.Asks asks = WaitingJob.Asks.NOTHING;

    /** How many machines get new labels every 1,000 attempts. */
    @Param({"0", "1"})
    public int relabelled;

    private WaitingJob job = new WaitingJob(1, WaitingJob.Asks.NOTHING, 0);

    @Setup(Level.Trial)
    public void fill() {
        job = new WaitingJob(machines, asks, relabelled);
    }

    /** One attempt. */
    @Benchmark
    @OperationsPerInvocation(WaitingJob.TASKS)
    public Object plan() {
        return job.plan();
    }
}
