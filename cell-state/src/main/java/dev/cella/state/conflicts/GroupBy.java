package dev.cella.state.conflicts;

/** The keys by which lost claims can be grouped. SCHEDULER is the loser's. */
public enum GroupBy {
    SCHEDULER,
    WINNER,
    MACHINE,
    REASON,
    DIMENSION,
    JOB
}
