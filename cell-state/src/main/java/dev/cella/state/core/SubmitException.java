package dev.cella.state.core;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A command got no answer. Its {@link Why} says what the caller may conclude. */
public final class SubmitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** After how long to ask again when nobody is known to lead. The doors answer in whole seconds. */
    static final Duration RETRY_NO_LEADER = Duration.ofSeconds(1);

    /** The reasons why a command has no answer. */
    public enum Why {
        /** The lane is full: the command was not taken. Try again after a while. */
        LANE_FULL(false),
        /** This replica does not lead or is not ready yet: the command was not taken. Try again after a while. */
        NO_LEADER(false),
        /** The command is larger than any log entry: it was not taken, and never will be. */
        TOO_LARGE(false),
        /** This replica is closing: the command was not taken. */
        CLOSED(false),
        /**
         * The command was proposed, and its answer is lost: it may or may not be decided. Ask by its id; never plan it again.
         */
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
    private final @Nullable URI leader;

    SubmitException(Why why, Duration retryAfter, String message) {
        this(why, retryAfter, message, Optional.empty());
    }

    /** @param leader the address of another replica, which leads */
    SubmitException(Why why, Duration retryAfter, String message, Optional<URI> leader) {
        super(message);
        this.why = why;
        this.retryAfter = retryAfter;
        this.leader = leader.orElse(null);
    }

    public Why why() {
        return why;
    }

    /** When to try again; zero if trying again cannot help. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /** The address of the replica that leads, if this one knows it. */
    public Optional<URI> leader() {
        return Optional.ofNullable(leader);
    }
}
