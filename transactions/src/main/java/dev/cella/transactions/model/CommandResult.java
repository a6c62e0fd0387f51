package dev.cella.transactions.model;

/** What became of a command. Every one has taken a version, also a refused one. */
public sealed interface CommandResult {
    CellVersion version();

    /**
     * Done, or nothing to do. {@code identity} is the version that identifies the job, machine or session it was about (0
     * where there is none), {@code generation} the job's.
     */
    record Done(CellVersion version, Effect effect, long identity, int generation) implements CommandResult {}

    /** Whether a command found something new, something to change, or nothing to do. */
    enum Effect {
        CREATED,
        CHANGED,
        UNCHANGED
    }

    /** Refused: nothing was changed. The message is for people and names no secret. */
    record Refused(CellVersion version, Reason reason, String message) implements CommandResult {}

    /** A transaction was decided, one way or the other. */
    record Decided(Outcome outcome) implements CommandResult {
        @Override
        public CellVersion version() {
            return outcome.version();
        }
    }
}
