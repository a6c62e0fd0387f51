package dev.cella.state.core;

/**
 * Who goes first into the next log entry, in this order. A lane is bounded by itself, so a lane is never refused because
 * of a later one: what a full cell needs to drain, above all, gets in.
 */
public enum Lane {
    /** What frees, reports or keeps alive: task reports, machine registrations, sessions, the cell's own follow-ups. */
    REPORTS,
    /** What a person or an operator's program asks: jobs, drains, removals. */
    OPERATORS,
    /** What schedulers plan. */
    TRANSACTIONS
}
