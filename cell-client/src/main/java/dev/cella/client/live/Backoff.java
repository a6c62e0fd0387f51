package dev.cella.client.live;

import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next try: longer each time up to a bound, and never the same for two clients, lest all
 * that lost one leader come back in one moment. Owned by one thread.
 */
public final class Backoff {
    private static final int DOUBLINGS_MAX = 20;
    private static final long SEARCH_MILLIS_MAX = 300;

    /** As many addresses as a cell may have: one that is gone is met once in a round. */
    private static final int SEARCH_TRIES = 5;

    private final long firstMillis;
    private final long maxMillis;
    private final RandomGenerator random;
    private int failures;
    private int searchTriesLeft;

    /**
     * @param first the longest first pause
     * @param max the longest pause of all
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
     * The pause before asking elsewhere: short while replicas answer that no leader is known. An election takes a
     * second or two, and a long pause would add to the time in which nothing is committed. A server that is gone may
     * be asked in between.
     */
    public long nextDelayMillis(Problem problem) {
        long delay = nextDelayMillis();
        searchTriesLeft = problem.type() == ProblemType.NO_LEADER ? SEARCH_TRIES : Math.max(0, searchTriesLeft - 1);
        return searchTriesLeft > 0 ? Math.min(delay, SEARCH_MILLIS_MAX) : delay;
    }

    /** It worked: the next failure is a first one again. */
    public void reset() {
        failures = 0;
        searchTriesLeft = 0;
    }
}
