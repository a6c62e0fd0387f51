package dev.cella.state.core;

import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.CommandResult;
import java.util.List;

/** The results of an entry's commands, in order, and the version after the last one. */
public record AppliedEntry(LogPosition position, CellVersion version, List<CommandResult> results) {
    public AppliedEntry {
        results = List.copyOf(results);
    }
}
