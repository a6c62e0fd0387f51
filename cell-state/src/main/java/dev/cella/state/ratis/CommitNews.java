package dev.cella.state.ratis;

import dev.cella.state.core.Time;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Lets the leader tell its followers what is committed when no further entry does.
 *
 * <p>An entry carries the news that those before it are committed. After the last one, Ratis tells a follower only with its
 * next heartbeat, up to half an election time-out later: the follower's clients see nothing until then. So when the log has
 * been quiet for a moment, the leader sends a round. In a busy log the next entry comes first, and this costs nothing.
 *
 * <p>A follower that has not yet confirmed the last entry learns nothing from the round, because Ratis then sends it no place in
 * the log; and Ratis sends one round for an entry, not a second. So the round waits for the followers that are in reach. Each
 * look comes after twice the time, and after the last one the round is sent without waiting.
 *
 * <p>Guarded by its own monitor.
 */
final class CommitNews {
    /** Shorter than anybody notices, longer than the gaps of a busy log. */
    static final Duration QUIET = Duration.ofMillis(2);

    /** So the round waits for two seconds at most. */
    static final int LOOKS_MAX = 10;

    /** The followers' knowledge of what is committed here. */
    enum Followers {
        KNOW_ALL,
        CONFIRM_FIRST,
        LAG
    }

    private final Time time;
    private final Supplier<Followers> followers;
    private final Runnable tell;
    private int inFlight;
    private int looksDone;
    private long landedNanos;
    private boolean lookIsDue;

    /**
     * @param tell sends the round; called on the timer's thread
     */
    CommitNews(Time time, Supplier<Followers> followers, Runnable tell) {
        this.time = time;
        this.followers = followers;
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
        looksDone = 0;
        if (inFlight == 0 && !lookIsDue) {
            lookAfter(QUIET);
        }
    }

    private void lookAfter(Duration delay) {
        lookIsDue = true;
        var unused = time.after(delay, this::look);
    }

    private void look() {
        if (!isQuiet()) {
            return;
        }
        switch (followers.get()) {
            case KNOW_ALL -> {}
            case CONFIRM_FIRST -> lookAgainOrTell();
            case LAG -> tell.run();
        }
    }

    /** Looks again later if an entry landed a moment ago; the one in flight looks when it lands. */
    private synchronized boolean isQuiet() {
        lookIsDue = false;
        Duration left = QUIET.minusNanos(time.monotonicNanos() - landedNanos);
        if (inFlight == 0 && left.compareTo(Duration.ZERO) > 0) {
            lookAfter(left);
        }
        return inFlight == 0 && !lookIsDue;
    }

    private void lookAgainOrTell() {
        if (!lookAgain()) {
            tell.run();
        }
    }

    /** Returns false if it has looked often enough. An entry that was proposed in the meantime looks when it lands. */
    private synchronized boolean lookAgain() {
        looksDone++;
        if (inFlight == 0 && !lookIsDue && looksDone < LOOKS_MAX) {
            lookAfter(QUIET.multipliedBy(1L << looksDone));
        }
        return looksDone < LOOKS_MAX;
    }
}
