package dev.cella.agent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of an agent, with its timers. Other threads hand over what concerns the agent's state. After {@link #stop}
 * nothing is executed but what its parts give it to close themselves.
 *
 * <p>An event that fails may have damaged the state, so it is the last one, also if a part of the agent executed or scheduled
 * it. The agent renews no lease any more, and {@link #failed} tells its owner, which ends it. The next agent goes on with the
 * tasks. If none comes within the lease, the cell counts the machine as lost.
 */
final class AgentLoop extends ScheduledThreadPoolExecutor {
    private static final Logger logger = LoggerFactory.getLogger(AgentLoop.class);

    private final CompletableFuture<String> failed = new CompletableFuture<>();
    private volatile boolean stopped;

    AgentLoop() {
        super(1, work -> {
            Thread thread = new Thread(work, "agent-loop");
            thread.setDaemon(true);
            return thread;
        });
        setRemoveOnCancelPolicy(true);
    }

    /** Runs it on the loop's thread, unless the agent is being closed. */
    void handOver(Runnable event) {
        try {
            execute(() -> doUnlessStopped(event));
        } catch (RejectedExecutionException closed) {
            // then nobody is left who would care
        }
    }

    /** Hands over the answer to a call, or its failure. */
    <A> void handOver(CompletableFuture<A> call, BiConsumer<@Nullable A, @Nullable Throwable> answered) {
        CompletableFuture<A> unused =
                call.whenComplete((answer, failure) -> handOver(() -> answered.accept(answer, failure)));
    }

    /** Runs it after the delay. */
    void handOverAt(long delayMillis, Runnable event) {
        ScheduledFuture<?> unused = schedule(() -> doUnlessStopped(event), delayMillis, TimeUnit.MILLISECONDS);
    }

    void repeat(long periodMillis, Runnable event) {
        ScheduledFuture<?> unused =
                scheduleWithFixedDelay(() -> doUnlessStopped(event), periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }

    private void doUnlessStopped(Runnable event) {
        if (!stopped) {
            event.run();
        }
    }

    @Override
    public void execute(Runnable event) {
        ScheduledFuture<?> unused = schedule(event, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable event, long delay, TimeUnit unit) {
        return super.schedule(() -> doUnlessFailed(event), delay, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable event, long initialDelay, long delay, TimeUnit unit) {
        return super.scheduleWithFixedDelay(() -> doUnlessFailed(event), initialDelay, delay, unit);
    }

    /** The parts of an agent that has failed are closed like those of any other. */
    private void doUnlessFailed(Runnable event) {
        if (failed.isDone() && !stopped) {
            return;
        }
        try {
            event.run();
        } catch (RuntimeException | Error failure) {
            logger.error("agent event=failed: it does nothing any more", failure);
            failed.complete("the agent has failed: " + failure);
        }
    }

    /** Completes with the reason when an event has failed. */
    CompletableFuture<String> failed() {
        return failed;
    }

    /** Executes nothing that is handed over from now on. The thread stays for the parts that are being closed on it. */
    void stop() {
        stopped = true;
    }
}
