package dev.cella.state.core;

/**
 * The order in which commands go into the next log entry. Each lane has its own bound, so a later lane never causes an earlier
 * one to be refused. Commands that empty a full cell come first.
 */
public enum Lane {
    /**
     * Commands that free, report or keep alive: task reports, machine registrations, sessions, the cell's own follow-ups.
     */
    REPORTS,
    /** Commands of people and of operators' programs: jobs, drains, removals. */
    OPERATORS,
    /** Transactions of schedulers. */
    TRANSACTIONS
}
