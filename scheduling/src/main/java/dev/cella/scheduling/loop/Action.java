package dev.cella.scheduling.loop;

import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.Planning;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Revert;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Work;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.OfferId;
import java.util.List;
import java.util.function.Supplier;

/** An action that a loop wants its driver to perform. */
public sealed interface Action<M> {
    /** Performs it with the driver, which has one method per kind, so that a new kind cannot be forgotten. */
    void perform(Driver<M> driver);

    /** Performs each kind of action. */
    interface Driver<M> {
        void plan(PlanNow<M> action);

        void submit(Submit<M> action);

        void setTimer(SetTimer<M> action);

        void stop(Stop<M> action);

        void decline(Decline<M> action);

        void wantOffers(WantOffers<M> action);

        void revert(RevertJob<M> action);
    }

    /**
     * Plan this work. The drafts show the views as they are, so call {@link #run} before a view advances. Its event may be
     * delivered later, when the scheduler's decision time is over. A plan that may take long is made on copies instead:
     * {@link #detach}.
     *
     * @param tasks how many tasks are to decide about
     */
    record PlanNow<M>(
            long turn,
            List<PlanningView> cells,
            Work work,
            PlanContext<M> context,
            int tasks,
            Supplier<LentLater> later)
            implements Action<M> {
        /** On these views only. */
        public PlanNow(long turn, List<PlanningView> cells, Work work, PlanContext<M> context, int tasks) {
            this(turn, cells, work, context, tasks, () -> {
                throw new IllegalStateException("this plan is made on no copies");
            });
        }

        @Override
        public void perform(Driver<M> driver) {
            driver.plan(this);
        }

        /** The same plan for copies of the cells. Call this before the loop's next event. */
        public DetachedPlan<M> detach() {
            return new DetachedPlan<>(turn, work, context, tasks, later.get());
        }

        /** Runs the planner. An exception is the planner's fault, and its jobs lose this turn. */
        public Event<M> run(Scheduler<M> scheduler) {
            try {
                return AuthorsCode.call(
                        () -> new Event.Planned<>(turn, Planning.plan(scheduler, cells, work, context)),
                        fault -> new Event.PlannerFailed<>(turn, fault.toString()));
            } finally {
                cells.forEach(PlanningView::close);
            }
        }

        /**
         * Nobody waits any longer for {@link #run}, which may be under way on another thread. Whatever event comes next,
         * the loop never reuses the objects that the plan borrowed; {@link Event.PlanGivenUp} is one of them.
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

    /** Send {@link Event.TimerFired} at this time, which replaces the former time. */
    record SetTimer<M>(CellTime at) implements Action<M> {
        @Override
        public void perform(Driver<M> driver) {
            driver.setTimer(this);
        }
    }

    /** Ask the cell to restore an earlier generation of the job. The view shows the effect. */
    record RevertJob<M>(Revert revert) implements Action<M> {
        @Override
        public void perform(Driver<M> driver) {
            driver.revert(this);
        }
    }

    /**
     * Another instance has taken over the session in that cell, so nothing that this loop does there would count. It does
     * nothing more.
     */
    record Stop<M>(int cell, String why) implements Action<M> {
        @Override
        public void perform(Driver<M> driver) {
            driver.stop(this);
        }
    }

    /**
     * Give an offer back; its machine must not be offered to the session again for {@code refuseMillis}. Nobody waits for the
     * answer.
     */
    record Decline<M>(int cell, OfferId offer, long refuseMillis) implements Action<M> {
        @Override
        public void perform(Driver<M> driver) {
            driver.decline(this);
        }
    }

    /** Tell the cell whether the scheduler's sessions want offers from now on. Nobody waits for the answer. */
    record WantOffers<M>(int cell, boolean wanted) implements Action<M> {
        @Override
        public void perform(Driver<M> driver) {
            driver.wantOffers(this);
        }
    }
}
