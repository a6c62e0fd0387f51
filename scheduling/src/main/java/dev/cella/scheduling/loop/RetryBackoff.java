package dev.cella.scheduling.loop;

import dev.cella.transactions.model.Digests;

/** How long to wait before the next attempt: doubled with every failure in a row, capped, and jittered by a seed. */
public record RetryBackoff(long delayMillis, long delayMillisMax) {
    private static final int DOUBLINGS_MAX = 40;

    public RetryBackoff {
        if (delayMillis < 1 || delayMillisMax < delayMillis) {
            throw new IllegalArgumentException("backoff of " + delayMillis + " ms up to " + delayMillisMax + " ms");
        }
    }

    /** The delay after that many failures in a row, from half of the full delay to all of it. */
    long afterMillis(int failures, long seed) {
        long full = grown(delayMillis, delayMillisMax, failures);
        return full - Math.floorMod(Digests.mix(seed, failures), full / 2 + 1);
    }

    /** {@code delay} doubled with each time after the first, at most {@code delayMax}. */
    static long grown(long delay, long delayMax, int times) {
        int doublings = Math.min(Math.max(times - 1, 0), DOUBLINGS_MAX);
        return delay > delayMax >> doublings ? delayMax : delay << doublings;
    }
}
