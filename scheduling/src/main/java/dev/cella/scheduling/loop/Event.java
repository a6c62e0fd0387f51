package dev.cella.scheduling.loop;

import dev.cella.scheduling.Plan;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Outcome;

/** What happens to a loop. */
public sealed interface Event<M> {
    /** The view shows a later version; the rows that changed were told to {@link SchedulerLoop#touchedRows}. */
    record ViewAdvanced<M>() implements Event<M> {}

    /** Another copy of the cell takes the place of the view: what was known of rows is to be read anew. */
    record ViewReplaced<M>(CellView view) implements Event<M> {}

    /** The plan of that turn is there. */
    record Planned<M>(long turn, Plan<M> plan) implements Event<M> {}

    /** The planner of that turn threw: its job loses this turn, and nothing else. */
    record PlannerFailed<M>(long turn, String failure) implements Event<M> {}

    /**
     * The planner of that turn did not come back in time and may still be at work, on another thread: its job loses this
     * turn. It comes after {@link Action.PlanNow#giveUp}.
     */
    record PlanGivenUp<M>(long turn, String failure) implements Event<M> {}

    /** A transaction was decided. */
    record Answered<M>(Outcome outcome) implements Event<M> {}

    /** So many transactions, of all schedulers, wait for a place in the cell's log. */
    record BacklogTold<M>(long transactions) implements Event<M> {}

    /** The time has come that {@link Action.SetTimer} named last. */
    record TimerFired<M>() implements Event<M> {}
}
