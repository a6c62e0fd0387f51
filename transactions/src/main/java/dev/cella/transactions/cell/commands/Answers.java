package dev.cella.transactions.cell.commands;

import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Reason;
import java.util.SortedMap;

/** Makes the results of commands at the version that the tables show. */
public final class Answers {
    private final Tables tables;

    public Answers(Tables tables) {
        this.tables = tables;
    }

    public CommandResult created(int generation) {
        return new CommandResult.Done(version(), CommandResult.Effect.CREATED, tables.version(), generation);
    }

    CommandResult changed(long identity, int generation) {
        return new CommandResult.Done(version(), CommandResult.Effect.CHANGED, identity, generation);
    }

    public CommandResult changed(long identity) {
        return changed(identity, 0);
    }

    CommandResult unchanged(long identity, int generation) {
        return new CommandResult.Done(version(), CommandResult.Effect.UNCHANGED, identity, generation);
    }

    public CommandResult unchanged(long identity) {
        return unchanged(identity, 0);
    }

    CommandResult reported(SortedMap<Integer, Reason> refused) {
        return new CommandResult.Reported(version(), refused);
    }

    public CommandResult refused(Reason reason, String message) {
        return new CommandResult.Refused(version(), reason, message);
    }

    private CellVersion version() {
        return new CellVersion(tables.version());
    }
}
