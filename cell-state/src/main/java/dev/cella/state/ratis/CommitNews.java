package dev.cella.state.ratis;

import dev.cella.state.core.Time;
import java.time.Duration;

/**
 * Lets the leader tell its followers what is committed when no further entry does.
 *
 * <p>An entry carries the news that those before it are committed. After the last one, Ratis tells a follower only with its
 * next heartbeat, up to a third of an election time-out later: the follower's clients see nothing until then. So when the log has
 * been quiet for a moment, the followers are told. In a busy log the next entry comes first, and this costs nothing.
 *
 * <p>Guarded by its own monitor.
 */
final class CommitNews {
    /** Shorter than anybody notices, longer than the gaps of a busy log, whose small entries keep a distance. */
    static final Duration QUIET = Duration.ofMillis(5);

    private final Time time;
    private final Runnable tell;
    private int inFlight;
    private long landedNanos;
    private boolean lookIsDue;

    /**
     * @param tell tells the followers; called on the timer's thread
     */
    CommitNews(Time time, Runnable tell) {
        this.time = time;
        this.tell = tell;
    }

    /** An entry was proposed: it brings the news of those before it. */
    synchronized void proposed() {
        inFlight++;
    }

    /** An entry was applied here, or its result is lost. */
    synchronized void landed() {
        inFlight--;
        landedNanos = time.monotonicNanos();
        if (inFlight == 0 && !lookIsDue) {
            lookAfter(QUIET);
        }
    }

    private void lookAfter(Duration delay) {
        lookIsDue = true;
        var unused = time.after(delay, this::look);
    }

    private void look() {
        if (isQuiet()) {
            tell.run();
        }
    }

    /** Looks again later if an entry landed a moment ago. One in flight looks when it lands. */
    private synchronized boolean isQuiet() {
        lookIsDue = false;
        Duration left = QUIET.minusNanos(time.monotonicNanos() - landedNanos);
        if (inFlight == 0 && left.compareTo(Duration.ZERO) > 0) {
            lookAfter(left);
        }
        return inFlight == 0 && !lookIsDue;
    }
}
