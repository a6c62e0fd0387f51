package dev.cella.state.conflicts;

/** By what lost claims are counted in groups. SCHEDULER is the loser's. */
public enum GroupBy {
    SCHEDULER,
    WINNER,
    MACHINE,
    REASON,
    DIMENSION,
    JOB
}
