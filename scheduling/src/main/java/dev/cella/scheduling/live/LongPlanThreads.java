package dev.cella.scheduling.live;

import dev.cella.scheduling.LongPlans;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.loop.DetachedPlan;
import dev.cella.scheduling.loop.Event;
import dev.cella.transactions.cell.CellView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes long plans, each on a thread of its own, on copies of the cells. Nobody waits for them: the owner gets each plan as an
 * event, and gives up one that takes too long.
 *
 * <p>A planner whose plan was given up is interrupted, and every later call on its views fails. Threads of planners that do
 * not return all the same are counted, as in {@link PlannerThread}. Owned by the thread of the executor.
 */
final class LongPlanThreads implements AutoCloseable {
    private final String name;
    private final LongPlans limits;
    private final int stuckMax;
    private final ScheduledExecutorService owner;
    private final Map<DetachedPlan<?>, UnderWay> underWay = new HashMap<>();
    private final List<Thread> givenUp = new ArrayList<>();

    private record UnderWay(Thread thread, ScheduledFuture<?> timeOut) {}

    LongPlanThreads(String name, LongPlans limits, int stuckMax, ScheduledExecutorService owner) {
        this.name = name;
        this.limits = limits;
        this.stuckMax = stuckMax;
        this.owner = owner;
    }

    /**
     * Begins a plan.
     *
     * @param copies makes the copies of the cells, on the plan's thread
     * @param made gets the plan, or the event that it was given up, on the owner's thread
     */
    <M> void begin(
            DetachedPlan<M> plan, Scheduler<M> scheduler, Supplier<List<CellView>> copies, Consumer<Event<M>> made) {
        Thread thread = new Thread(
                () -> {
                    Event<M> event = plan.run(scheduler, copies);
                    owner.execute(() -> ended(plan, event, made));
                },
                name);
        thread.setDaemon(true);
        ScheduledFuture<?> timeOut =
                owner.schedule(() -> late(plan, made), limits.timeMax().toNanos(), TimeUnit.NANOSECONDS);
        underWay.put(plan, new UnderWay(thread, timeOut));
        thread.start();
    }

    private <M> void ended(DetachedPlan<M> plan, Event<M> event, Consumer<Event<M>> made) {
        UnderWay ended = underWay.remove(plan);
        if (ended != null) {
            ended.timeOut().cancel(false);
            made.accept(event);
        }
    }

    private <M> void late(DetachedPlan<M> plan, Consumer<Event<M>> made) {
        UnderWay late = underWay.remove(plan);
        if (late != null) {
            giveUp(plan, late);
            made.accept(new Event.PlanGivenUp<>(
                    plan.turn(), "the planner did not come back within " + PlannerThread.seconds(limits.timeMax())));
        }
    }

    private void giveUp(DetachedPlan<?> plan, UnderWay left) {
        plan.giveUp();
        left.timeOut().cancel(false);
        left.thread().interrupt();
        givenUp.add(left.thread());
    }

    /** Throws if too many planners were given up and have not returned. */
    void checkStuck() {
        givenUp.removeIf(thread -> !thread.isAlive());
        if (givenUp.size() >= stuckMax) {
            throw new PlannerThread.TooManyStuck(givenUp.size(), limits.timeMax());
        }
    }

    /** Gives up all plans under way: their loop is over. */
    @Override
    public void close() {
        underWay.forEach(this::giveUp);
        underWay.clear();
    }
}
