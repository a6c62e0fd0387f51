package dev.cella.agent.runner;

import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskReason;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Simulates attempts: no process, no output, and an end after a time. A task sets the time in its environment; otherwise the
 * options set it.
 *
 * <p>Everything happens on the given executor, which has one thread; so thousands of machines need no threads of their own.
 */
public final class HollowRunner implements TaskRunner {
    /** Runs exactly this many milliseconds. */
    public static final String RUNTIME_VARIABLE = "CELLA_HOLLOW_RUNTIME_MILLIS";

    /** Runs this many milliseconds on average, exponentially distributed. */
    public static final String RUNTIME_MEAN_VARIABLE = "CELLA_HOLLOW_RUNTIME_MILLIS_MEAN";

    /** Ends with this code instead of 0. */
    public static final String EXIT_CODE_VARIABLE = "CELLA_HOLLOW_EXIT_CODE";

    /** A task that runs until it is told to end, as services do. */
    public static final long FOREVER_MILLIS = Long.MAX_VALUE;

    private static final int EXIT_TERMINATED = 143;
    private static final int EXIT_KILLED = 137;

    private record Running(Listener listener, Future<?> end) {}

    private final ScheduledExecutorService executor;
    private final long runtimeMillis;
    private final long seed;
    private final Map<PlacementId, Running> running = new HashMap<>();

    public HollowRunner(ScheduledExecutorService executor, long runtimeMillis, long seed) {
        this.executor = executor;
        this.runtimeMillis = runtimeMillis;
        this.seed = seed;
    }

    @Override
    public void start(String machine, Launch launch, Listener listener) {
        executor.execute(() -> startNow(launch, listener));
    }

    private void startNow(Launch launch, Listener listener) {
        PlacementId placement = launch.assignment().placement();
        try {
            long runsMillis = runtimeMillis(launch);
            TaskEnd end =
                    TaskEnd.exited((int) number(launch, EXIT_CODE_VARIABLE).orElse(0));
            listener.started(placement);
            Future<?> timer = runsMillis == FOREVER_MILLIS
                    ? CompletableFuture.completedFuture(null)
                    : executor.schedule(() -> end(placement, end), runsMillis, TimeUnit.MILLISECONDS);
            running.put(placement, new Running(listener, timer));
        } catch (NumberFormatException notANumber) {
            listener.ended(placement, TaskEnd.neverStarted(TaskReason.NOT_STARTED));
        }
    }

    /** Depends only on the seed and the placement, not on the order of starts. */
    private long runtimeMillis(Launch launch) {
        OptionalLong mean = number(launch, RUNTIME_MEAN_VARIABLE);
        if (mean.isPresent()) {
            PlacementId placement = launch.assignment().placement();
            SplittableRandom random = new SplittableRandom(seed ^ (placement.version() * 31 + placement.ordinal()));
            return (long) (-Math.log(1 - random.nextDouble()) * mean.getAsLong());
        }
        long unsaid = launch.run().settings().isService() ? FOREVER_MILLIS : runtimeMillis;
        return number(launch, RUNTIME_VARIABLE).orElse(unsaid);
    }

    private static OptionalLong number(Launch launch, String variable) {
        String text = launch.run().environment().get(variable);
        return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
    }

    @Override
    public void terminate(PlacementId placement) {
        executor.execute(() -> end(placement, TaskEnd.stopped(EXIT_TERMINATED)));
    }

    @Override
    public void kill(PlacementId placement) {
        executor.execute(() -> end(placement, TaskEnd.stopped(EXIT_KILLED)));
    }

    private void end(PlacementId placement, TaskEnd end) {
        Running attempt = running.remove(placement);
        if (attempt != null) {
            attempt.end().cancel(false);
            attempt.listener().ended(placement, end);
        }
    }

    @Override
    public void close() {
        executor.execute(() -> {
            running.values().forEach(attempt -> attempt.end().cancel(false));
            running.clear();
        });
    }
}
