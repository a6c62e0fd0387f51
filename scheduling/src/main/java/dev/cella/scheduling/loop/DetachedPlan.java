package dev.cella.scheduling.loop;

import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Work;
import dev.cella.transactions.cell.CellView;
import java.util.List;
import java.util.function.Supplier;

/**
 * A plan that is made on copies of the cells while its loop goes on. It shares nothing with the loop that changes. One thread
 * runs it; any other may give it up.
 */
public final class DetachedPlan<M> {
    private final long turn;
    private final Work work;
    private final PlanContext<M> context;
    private final int tasks;
    private final LentLater lent;
    private final Object givingUp = new Object();
    private List<PlanningView> views = List.of();
    private boolean givenUp;

    DetachedPlan(long turn, Work work, PlanContext<M> context, int tasks, LentLater lent) {
        this.turn = turn;
        this.work = work;
        this.context = new PlanContext<>(context.now(), context.seed(), context.memory(), lent.observations());
        this.tasks = tasks;
        this.lent = lent;
    }

    public long turn() {
        return turn;
    }

    /** How many tasks are to decide about. */
    public int tasks() {
        return tasks;
    }

    /**
     * Runs the planner, on copies in the order of the cells, which show the versions that the loop's own views showed when the
     * plan was detached. The copies are made on the thread that calls this.
     */
    public Event<M> run(Scheduler<M> scheduler, Supplier<List<CellView>> copies) {
        return AuthorsCode.call(
                () -> {
                    List<PlanningView> made = lent.on(copies.get());
                    lend(made);
                    return new Action.PlanNow<>(turn, made, work, context, tasks).run(scheduler);
                },
                fault -> new Event.PlannerFailed<>(turn, fault.toString()));
    }

    private void lend(List<PlanningView> made) {
        synchronized (givingUp) {
            if (givenUp) {
                made.forEach(PlanningView::giveUp);
            }
            views = made;
        }
    }

    /** Nobody waits for it any longer: every later call of its views fails. */
    public void giveUp() {
        synchronized (givingUp) {
            givenUp = true;
            views.forEach(PlanningView::giveUp);
        }
    }
}
