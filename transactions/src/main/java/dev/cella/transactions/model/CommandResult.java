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

        /** Whether a repeat of it is recognised: not what was refused for its id or for its age. */
        public boolean isKept() {
            Reason reason = outcome.reason().orElse(null);
            return reason != Reason.ID_REUSED && reason != Reason.BASIS_TOO_OLD;
        }
    }

    /**
     * A transaction that was decided before, as version {@code first}; this time it changed nothing. The cell keeps of an
     * outcome no more than that: whoever keeps the cell has the whole one as a cold row under that version, written when it
     * was {@link Decided}, and gives it as the answer.
     */
    record Repeated(CellVersion version, CellVersion first) implements CommandResult {}
}
