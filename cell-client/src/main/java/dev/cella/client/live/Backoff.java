package dev.cella.client.live;

import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next try: longer each time up to a bound, and different for each client, so that clients that
 * lost a leader together do not return together. Owned by one thread.
 */
public final class Backoff {
    private static final int DOUBLINGS_MAX = 20;
    private static final long SEARCH_MILLIS_MAX = 300;

    /** As many as a cell may have addresses: each round tries an absent one once. */
    private static final int SEARCH_TRIES = 5;

    private final long firstMillis;
    private final long maxMillis;
    private final RandomGenerator random;
    private int failures;
    private int searchTriesLeft;

    /**
     * @param first the upper bound of the first pause
     * @param max the upper bound of all pauses
     */
    public Backoff(Duration first, Duration max, RandomGenerator random) {
        if (first.toMillis() < 1 || max.compareTo(first) < 0) {
            throw new IllegalArgumentException("backoff from " + first + " to " + max);
        }
        this.firstMillis = first.toMillis();
        this.maxMillis = max.toMillis();
        this.random = random;
    }

    /** From a tenth of a second to five seconds. */
    public static Backoff standard(RandomGenerator random) {
        return new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), random);
    }

    /** The pause after one more failure: between half and all of its bound. */
    public long nextDelayMillis() {
        long bound = Math.min(maxMillis, firstMillis << Math.min(failures, DOUBLINGS_MAX));
        failures++;
        return bound - random.nextLong(bound / 2 + 1);
    }

    /**
     * The pause before trying another server: short while replicas answer that no leader is known. An election takes a second
     * or two, and a long pause would add to the time without commits. An absent server may be tried in between. If a server
     * names the leader, as one does that hands over, there is none: that one may be tried at once.
     */
    public long nextDelayMillis(Problem problem) {
        boolean isFirst = failures == 0;
        long delay = nextDelayMillis();
        searchTriesLeft = problem.type() == ProblemType.NO_LEADER ? SEARCH_TRIES : Math.max(0, searchTriesLeft - 1);
        if (isFirst && problem.leader().isPresent()) {
            return 0;
        }
        return searchTriesLeft > 0 ? Math.min(delay, SEARCH_MILLIS_MAX) : delay;
    }

    /** The try succeeded: the next failure counts as a first one. */
    public void reset() {
        failures = 0;
        searchTriesLeft = 0;
    }
}
