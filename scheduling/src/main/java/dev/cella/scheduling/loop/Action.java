package dev.cella.scheduling.loop;

import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.Planning;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Work;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.CellTime;
import java.util.List;
import java.util.function.Function;

/** What a loop wants done. */
public sealed interface Action<M> {
    /** Has the driver do it, one method for each kind, so that a new kind cannot be forgotten. */
    void perform(Driver<M> driver);

    /** What drives a loop does about each kind of action. */
    interface Driver<M> {
        void plan(PlanNow<M> action);

        void submit(Submit<M> action);

        void setTimer(SetTimer<M> action);

        void stop(Stop<M> action);
    }

    /**
     * Plan this work. The drafts show the views as they are, so {@link #run} comes before a view moves on; the event it
     * answers may be delivered later, when the scheduler's decision time is over. A plan that takes long is made on copies
     * instead: {@link #on}.
     *
     * @param tasks how many tasks are to be decided about
     * @param copying makes the same on copies of the cells
     */
    record PlanNow<M>(
            long turn,
            List<PlanningView> cells,
            Work work,
            PlanContext<M> context,
            int tasks,
            Function<List<CellView>, List<PlanningView>> copying)
            implements Action<M> {
        /** On these views only. */
        public PlanNow(long turn, List<PlanningView> cells, Work work, PlanContext<M> context, int tasks) {
            this(turn, cells, work, context, tasks, copies -> {
                throw new IllegalStateException("this plan is made on no copies");
            });
        }

        @Override
        public void perform(Driver<M> driver) {
            driver.plan(this);
        }

        /**
         * The same plan on copies of the cells, in their order, which show the same versions as the loop's own views now. It
         * may then run on another thread while the loop goes on. To be called before the loop's next event.
         */
        public PlanNow<M> on(List<CellView> copies) {
            return new PlanNow<>(turn, copying.apply(copies), work, context, tasks);
        }

        /** Runs the planner. Whatever it throws is its own fault, and costs its jobs this turn. */
        public Event<M> run(Scheduler<M> scheduler) {
            try {
                return new Event.Planned<>(turn, Planning.plan(scheduler, cells, work, context));
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
    record Submit<M>(Proposal proposal) implements Action<M> {
        @Override
        public void perform(Driver<M> driver) {
            driver.submit(this);
        }
    }

    /** Say {@link Event.TimerFired} at this time; it takes the place of the time set before. */
    record SetTimer<M>(CellTime at) implements Action<M> {
        @Override
        public void perform(Driver<M> driver) {
            driver.setTimer(this);
        }
    }

    /** Another instance has taken over: nothing this loop could do would count. It does nothing more. */
    record Stop<M>(String why) implements Action<M> {
        @Override
        public void perform(Driver<M> driver) {
            driver.stop(this);
        }
    }
}
