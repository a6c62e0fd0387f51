package dev.cella.simulator.engine;

import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;

/** The rules by which every transaction of a run is decided. */
public record Modes(Atomicity atomicity, ConflictRule conflictRule) {
    public static final Modes DEFAULT = new Modes(Atomicity.INCREMENTAL, ConflictRule.RESOURCE);
}
