package dev.cella.simulator.engine;

import dev.cella.simulator.workload.SimulatedJob;
import java.util.OptionalDouble;

/** Measures the jobs of a run, in the same way for each architecture. Owned by the thread that runs the simulation. */
public final class JobMeter {
    private final Waits waits = new Waits();
    private final Waits delays = new Waits();
    private long ended;
    private long measured;
    private double slowdowns;
    private double squares;

    /** The last task of the job began to run. */
    public void placed(SimulatedJob job, long nowNanos) {
        waits.add(nowNanos - job.submittedNanos());
    }

    /** The last task of the job has ended. */
    public void ended(SimulatedJob job, long nowNanos) {
        ended(job, job.times().longest(), nowNanos);
    }

    void ended(SimulatedJob job, long longest, long nowNanos) {
        long inSystem = nowNanos - job.submittedNanos();
        ended++;
        delays.add(inSystem - longest);
        if (longest > 0) {
            double slowdown = (double) inSystem / longest;
            measured++;
            slowdowns += slowdown;
            squares += slowdown * slowdown;
        }
    }

    public JobStats stats() {
        return new JobStats(ended, waits.quantiles(), delays.quantiles(), fairness());
    }

    private OptionalDouble fairness() {
        return measured == 0 ? OptionalDouble.empty() : OptionalDouble.of(slowdowns * slowdowns / (measured * squares));
    }
}
