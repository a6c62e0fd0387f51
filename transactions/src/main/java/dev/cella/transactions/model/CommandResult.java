package dev.cella.transactions.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The result of a command. Every command takes a version, even a refused one. */
public sealed interface CommandResult {
    CellVersion version();

    /**
     * Done, or nothing to do. {@code identity} is the version that identifies the job, machine or session of the command (0 if
     * there is no such thing), {@code generation} the job's.
     */
    record Done(CellVersion version, Effect effect, long identity, int generation) implements CommandResult {}

    /** What a command found: something new, something to change, or nothing to do. */
    enum Effect {
        CREATED,
        CHANGED,
        UNCHANGED
    }

    /** Refused: nothing changed. The message is for people and contains no secret. */
    record Refused(CellVersion version, Reason reason, String message) implements CommandResult {}

    /** The result of {@link Command.ReportTasks}: the places of the refused reports, each with its reason. */
    record Reported(CellVersion version, SortedMap<Integer, Reason> refused) implements CommandResult {
        public Reported {
            refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
        }
    }

    /** A transaction was decided: committed or refused. */
    record Decided(Outcome outcome) implements CommandResult {
        @Override
        public CellVersion version() {
            return outcome.version();
        }

        /** Returns whether a retry of it is recognised. A transaction that was refused for its id or its age is not kept. */
        public boolean isKept() {
            Reason reason = outcome.reason().orElse(null);
            return reason != Reason.ID_REUSED && reason != Reason.BASIS_TOO_OLD;
        }
    }

    /**
     * A transaction that was decided before, at version {@code first}. This time it changed nothing. The cell keeps no more of
     * an outcome than that. The keeper of the cell wrote the whole outcome as a cold row under that version when it was {@link
     * Decided}, and answers with it.
     */
    record Repeated(CellVersion version, CellVersion first) implements CommandResult {}
}
