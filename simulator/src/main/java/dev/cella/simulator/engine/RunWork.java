package dev.cella.simulator.engine;

import dev.cella.simulator.workload.ExponentialStream;
import dev.cella.simulator.workload.InputJobs;
import dev.cella.simulator.workload.JobStream;
import dev.cella.simulator.workload.ListedJobs;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.StandingJob;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** The work of one run: jobs that arrive, and jobs that stand in the cell before. For one run only. */
public final class RunWork {
    private final List<JobStream> arriving;
    private final List<StandingJob> standing;

    private RunWork(List<JobStream> arriving, List<StandingJob> standing) {
        this.arriving = arriving;
        this.standing = standing;
    }

    /**
     * The dissertation's work: an exponential stream for each workload, and everlasting tasks that hold a part of the cell. A
     * trace of arrivals replaces the streams, and a trace of standing jobs replaces the everlasting tasks.
     */
    public static RunWork of(RunParameters parameters, List<Trace> traces) {
        List<SimulatedJob> listed = new ArrayList<>();
        boolean arrivalsAreSaid = false;
        List<StandingJob> standing = new ArrayList<>();
        boolean standingIsSaid = false;
        for (Trace trace : traces) {
            if (trace instanceof Trace.Arrivals arrivals) {
                // A number names a job, and each trace counts its own from 0.
                int others = listed.size();
                arrivals.jobs().forEach(job -> listed.add(job.withNumber(others + job.number())));
                arrivalsAreSaid = true;
            } else if (trace instanceof Trace.Standing said) {
                standing.addAll(said.jobs());
                standingIsSaid = true;
            }
        }
        List<JobStream> arriving = arrivalsAreSaid ? List.of(new ListedJobs(listed)) : exponential(parameters);
        if (!standingIsSaid) {
            standing.addAll(everlasting(parameters.geometry()));
        }
        return new RunWork(arriving, standing);
    }

    private static List<JobStream> exponential(RunParameters parameters) {
        return Arrays.stream(Workload.values())
                .map(workload -> workload == Workload.BATCH ? batch(parameters) : stream(parameters, workload))
                .toList();
    }

    private static JobStream batch(RunParameters run) {
        InputSetUp input = run.input();
        return switch (input.jobs()) {
            case EXPONENTIAL -> stream(run, Workload.BATCH);
            case SCANS -> InputJobs.scans(run.batch().means(), input.count(), run.seed());
            case PROBES -> InputJobs.probes(run.batch().means(), run.geometry().slots(), run.endNanos(), run.seed());
            case FACEBOOK -> InputJobs.facebook(run.batch().means(), input.count(), run.seed());
        };
    }

    private static JobStream stream(RunParameters parameters, Workload workload) {
        return new ExponentialStream(workload, parameters.setUp(workload).means(), parameters.seed());
    }

    private static List<StandingJob> everlasting(Geometry geometry) {
        int tasks = Math.toIntExact(geometry.prefillTasks());
        return tasks == 0
                ? List.of()
                : List.of(new StandingJob(tasks, geometry.taskCpuMilli(), geometry.taskMemoryMib(), VirtualTime.NEVER));
    }

    public List<StandingJob> standing() {
        return standing;
    }

    /** Runs until the end, and delivers every job at its time. */
    public void run(EventHeap heap, long endNanos, RunProgress progress, Consumer<SimulatedJob> to) {
        arriving.forEach(stream -> arriveNext(stream, heap, to));
        progress.follow(heap, endNanos);
        heap.runUntil(endNanos);
    }

    private static void arriveNext(JobStream stream, EventHeap heap, Consumer<SimulatedJob> to) {
        SimulatedJob job = stream.next();
        if (job != null) {
            heap.at(job.submittedNanos(), () -> {
                to.accept(job);
                arriveNext(stream, heap, to);
            });
        }
    }
}
