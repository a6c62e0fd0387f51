package dev.cella.state.core;

import java.time.Duration;

/** A command was not answered. What the caller may conclude from that is its {@link Why}. */
public final class SubmitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Every reason for which a command has no answer. */
    public enum Why {
        /** The lane is full: not taken, try again after a while. */
        LANE_FULL(false),
        /** This replica does not lead, or is not ready yet: not taken, try again after a while. */
        NO_LEADER(false),
        /** Larger than any log entry: not taken, and never will be. */
        TOO_LARGE(false),
        /** This replica is closing: not taken. */
        CLOSED(false),
        /** It was proposed and the answer is lost: it may be decided or not. Ask by its id; never plan it anew. */
        OUTCOME_UNKNOWN(true);

        private final boolean mayBeDecided;

        Why(boolean mayBeDecided) {
            this.mayBeDecided = mayBeDecided;
        }

        public boolean mayBeDecided() {
            return mayBeDecided;
        }
    }

    private final Why why;
    private final Duration retryAfter;

    SubmitException(Why why, Duration retryAfter, String message) {
        super(message);
        this.why = why;
        this.retryAfter = retryAfter;
    }

    public Why why() {
        return why;
    }

    /** When trying again has a chance; zero where it has none. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
