package dev.cella.scheduling.live;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.loop.Action;
import dev.cella.scheduling.loop.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs plans on its own thread, one at a time, and gives up a plan that takes too long.
 *
 * <h2>A planner that hangs</h2>
 *
 * <p>Java cannot end a thread. A planner whose plan is given up is interrupted, and every later call on its view fails. So a
 * planner that blocks, or loops over machines, ends; the next plan gets another thread at once. A planner that does neither
 * keeps its thread forever. Such threads are counted, and after {@code stuckMax} of them no more plans run: a scheduler that
 * would lose a thread with each attempt says so and ends.
 *
 * <p>The caller waits for the plan, because its view must not advance meanwhile. Owned by that thread; only {@link #close} may
 * be called from another.
 */
final class PlannerThread implements AutoCloseable {
    /** Too many planners are stuck, so no more plans are started. */
    static final class TooManyStuck extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooManyStuck(int stuck, Duration max) {
            super(stuck + " of its plans have not come back, neither within " + seconds(max)
                    + " nor when interrupted: its planner hangs");
        }
    }

    private static final long IDLE_SECONDS_MAX = 10;

    private final String name;
    private final Duration max;
    private final int stuckMax;
    private final CompletableFuture<Void> closing = new CompletableFuture<>();
    private final List<ExecutorService> givenUp = new ArrayList<>();
    private ExecutorService thread;

    /**
     * A thread for plans.
     *
     * @param max how long to wait for a plan
     * @param stuckMax how many threads may be lost to planners that never return
     */
    PlannerThread(String name, Duration max, int stuckMax) {
        this.name = name;
        this.max = max;
        this.stuckMax = stuckMax;
        this.thread = newThread();
    }

    private ExecutorService newThread() {
        ThreadPoolExecutor made = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS_MAX, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::newDaemon);
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    private Thread newDaemon(Runnable task) {
        Thread daemon = new Thread(task, name);
        daemon.setDaemon(true);
        return daemon;
    }

    /** The plan, or the event that it was given up. */
    <M> Event<M> plan(Action.PlanNow<M> plan, Scheduler<M> scheduler) {
        CompletableFuture<Event<M>> made = CompletableFuture.supplyAsync(() -> plan.run(scheduler), thread);
        try {
            CompletableFuture.anyOf(made, closing).get(max.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            return giveUp(plan, "the planner did not come back within " + seconds(max));
        } catch (ExecutionException broken) {
            throw new IllegalStateException("the planner's thread failed", broken.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return giveUp(plan, "the scheduler was interrupted");
        }
        return made.isDone() ? made.join() : giveUp(plan, "the scheduler is closing");
    }

    private <M> Event<M> giveUp(Action.PlanNow<M> plan, String why) {
        plan.giveUp();
        thread.shutdownNow();
        givenUp.add(thread);
        if (stuck() >= stuckMax) {
            throw new TooManyStuck(stuck(), max);
        }
        thread = newThread();
        return new Event.PlanGivenUp<>(plan.turn(), why);
    }

    /** How many threads are with planners that were given up and have not returned. */
    int stuck() {
        givenUp.removeIf(ExecutorService::isTerminated);
        return givenUp.size();
    }

    static String seconds(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }

    /** Gives up the plan under way without waiting for its thread. */
    @Override
    public void close() {
        closing.complete(null);
    }
}
