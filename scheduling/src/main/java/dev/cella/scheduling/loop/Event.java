package dev.cella.scheduling.loop;

import dev.cella.scheduling.Plan;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Outcome;

/** An event for a loop. Each event names its cell by its place; the only cell has place 0. */
public sealed interface Event<M> {
    /** Passes the event to the loop, which has one method per kind, so that a new kind cannot be forgotten. */
    void tell(Listener<M> loop);

    /** Handles each kind of event. */
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

    /** The view shows a later version. {@link SchedulerLoop#touchedRows} has received the changed rows. */
    record ViewAdvanced<M>(int cell) implements Event<M> {
        public ViewAdvanced() {
            this(0);
        }

        @Override
        public void tell(Listener<M> loop) {
            loop.viewAdvanced(this);
        }
    }

    /** Another copy of the cell replaces the view: all rows must be read again. */
    record ViewReplaced<M>(int cell, CellView view) implements Event<M> {
        public ViewReplaced(CellView view) {
            this(0, view);
        }

        @Override
        public void tell(Listener<M> loop) {
            loop.viewReplaced(this);
        }
    }

    /** The plan of that turn has arrived. */
    record Planned<M>(long turn, Plan<M> plan) implements Event<M> {
        @Override
        public void tell(Listener<M> loop) {
            loop.planned(this);
        }
    }

    /** The planner of that turn threw an exception: its jobs lose this turn, and nothing else. */
    record PlannerFailed<M>(long turn, String failure) implements Event<M> {
        @Override
        public void tell(Listener<M> loop) {
            loop.plannerFailed(this);
        }
    }

    /**
     * The planner of that turn did not return in time and may still be working on another thread: its jobs lose this turn.
     * This comes after {@link Action.PlanNow#giveUp}.
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

    /** That many transactions, of all schedulers, wait for a place in the cell's log. */
    record BacklogTold<M>(int cell, long transactions) implements Event<M> {
        public BacklogTold(long transactions) {
            this(0, transactions);
        }

        @Override
        public void tell(Listener<M> loop) {
            loop.backlogTold(this);
        }
    }

    /** The time of the last {@link Action.SetTimer} has come. */
    record TimerFired<M>() implements Event<M> {
        @Override
        public void tell(Listener<M> loop) {
            loop.timerFired(this);
        }
    }
}
