package dev.cella.state.core;

import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.CommandResult;
import java.util.List;

/** What became of an entry: one result for each of its commands, in order, and the version after the last. */
public record AppliedEntry(LogPosition position, CellVersion version, List<CommandResult> results) {
    public AppliedEntry {
        results = List.copyOf(results);
    }
}
