package dev.cella.scheduling.loop;

import dev.cella.scheduling.Plan;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Outcome;

/** What happens to a loop. Each event names its cell by its place; the only cell has place 0. */
public sealed interface Event<M> {
    /** Tells the loop, one method for each kind, so that a new kind cannot be forgotten. */
    void tell(Listener<M> loop);

    /** What a loop does about each kind of event. */
    interface Listener<M> {
        void viewAdvanced(ViewAdvanced<M> event);

        void viewReplaced(ViewReplaced<M> event);

        void planned(Planned<M> event);

        void plannerFailed(PlannerFailed<M> event);

        void planGivenUp(PlanGivenUp<M> event);

        void answered(Answered<M> event);

        void backlogTold(BacklogTold<M> event);

        void timerFired(TimerFired<M> event);
    }

    /** The view shows a later version; the rows that changed were told to {@link SchedulerLoop#touchedRows}. */
    record ViewAdvanced<M>(int cell) implements Event<M> {
        public ViewAdvanced() {
            this(0);
        }

        @Override
        public void tell(Listener<M> loop) {
            loop.viewAdvanced(this);
        }
    }

    /** Another copy of the cell takes the place of the view: what was known of rows is to be read anew. */
    record ViewReplaced<M>(int cell, CellView view) implements Event<M> {
        public ViewReplaced(CellView view) {
            this(0, view);
        }

        @Override
        public void tell(Listener<M> loop) {
            loop.viewReplaced(this);
        }
    }

    /** The plan of that turn is there. */
    record Planned<M>(long turn, Plan<M> plan) implements Event<M> {
        @Override
        public void tell(Listener<M> loop) {
            loop.planned(this);
        }
    }

    /** The planner of that turn threw: its jobs lose this turn, and nothing else. */
    record PlannerFailed<M>(long turn, String failure) implements Event<M> {
        @Override
        public void tell(Listener<M> loop) {
            loop.plannerFailed(this);
        }
    }

    /**
     * The planner of that turn did not come back in time and may still be at work, on another thread: its jobs lose this
     * turn. It comes after {@link Action.PlanNow#giveUp}.
     */
    record PlanGivenUp<M>(long turn, String failure) implements Event<M> {
        @Override
        public void tell(Listener<M> loop) {
            loop.planGivenUp(this);
        }
    }

    /** A transaction was decided. */
    record Answered<M>(int cell, Outcome outcome) implements Event<M> {
        public Answered(Outcome outcome) {
            this(0, outcome);
        }

        @Override
        public void tell(Listener<M> loop) {
            loop.answered(this);
        }
    }

    /** So many transactions, of all schedulers, wait for a place in the cell's log. */
    record BacklogTold<M>(int cell, long transactions) implements Event<M> {
        public BacklogTold(long transactions) {
            this(0, transactions);
        }

        @Override
        public void tell(Listener<M> loop) {
            loop.backlogTold(this);
        }
    }

    /** The time has come that {@link Action.SetTimer} named last. */
    record TimerFired<M>() implements Event<M> {
        @Override
        public void tell(Listener<M> loop) {
            loop.timerFired(this);
        }
    }
}
