package dev.cella.scheduling.loop;

import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Work;
import dev.cella.transactions.model.CellTime;
import java.util.List;

/** What a loop wants done. */
public sealed interface Action<M> {
    /**
     * Plan this work. The drafts show the view as it is, so {@link #run} comes before the view moves on; the event it
     * answers may be delivered later, when the scheduler's decision time is over.
     *
     * @param tasks how many tasks are to be decided about
     */
    record PlanNow<M>(long turn, List<PlanningView> cells, Work work, PlanContext<M> context, int tasks)
            implements Action<M> {
        /** Runs the planner. Whatever it throws is its own fault, and costs its job this turn. */
        public Event<M> run(Scheduler<M> scheduler) {
            try {
                Plan<M> plan = scheduler.plan(cells, work, context);
                return new Event.Planned<>(turn, plan);
            } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failure) {
                return new Event.PlannerFailed<>(turn, failure.toString());
            } finally {
                cells.forEach(PlanningView::close);
            }
        }

        /**
         * Nobody waits any more for {@link #run}, which may be under way on another thread. The loop uses nothing again that
         * the plan was given to work on, whichever event comes next; {@link Event.PlanGivenUp} is one of them.
         */
        public void giveUp() {
            cells.forEach(PlanningView::giveUp);
        }
    }

    /** Commit this transaction. */
    record Submit<M>(Proposal proposal) implements Action<M> {}

    /** Say {@link Event.TimerFired} at this time; it takes the place of the time set before. */
    record SetTimer<M>(CellTime at) implements Action<M> {}

    /** Another instance has taken over: nothing this loop could do would count. It does nothing more. */
    record Stop<M>(String why) implements Action<M> {}
}
