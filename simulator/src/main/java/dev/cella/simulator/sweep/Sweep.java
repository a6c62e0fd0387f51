package dev.cella.simulator.sweep;

import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.experiment.Experiments;
import dev.cella.simulator.workload.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Independent runs, on the requested number of threads. Results come in the order of the runs, so a sweep is as repeatable as
 * its runs.
 */
public final class Sweep {
    private final Experiments experiments;
    private final int threads;
    private final Consumer<Estimate> listener;

    /** The listener gets the progress on any thread, one call at a time. */
    public Sweep(Experiments experiments, int threads, Consumer<Estimate> listener) {
        this.experiments = experiments;
        this.threads = threads;
        this.listener = listener;
    }

    /** Runs all, on these traces if there are any, and waits for them. An exception of one run ends the sweep. */
    public List<MeasuredRun> run(List<RunParameters> runs, List<Trace> traces) throws InterruptedException {
        SweepProgress progress = new SweepProgress(runs.size(), System.nanoTime(), listener);
        ExecutorService executor = Executors.newFixedThreadPool(threads, Sweep::thread);
        try {
            List<Future<MeasuredRun>> futures = new ArrayList<>();
            for (RunParameters parameters : runs) {
                futures.add(executor.submit(() ->
                        MeasuredRun.of(experiments.architecture(parameters), parameters, traces, progress.ofOneRun())));
            }
            List<MeasuredRun> results = new ArrayList<>();
            for (Future<MeasuredRun> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            if (failure.getCause() instanceof Error thrown) {
                throw thrown;
            }
            throw new IllegalStateException("a run of the sweep failed", failure.getCause());
        } finally {
            executor.shutdownNow();
        }
    }

    private static Thread thread(Runnable runs) {
        Thread thread = new Thread(runs, "simulation");
        thread.setDaemon(true);
        return thread;
    }
}
