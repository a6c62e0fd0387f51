package dev.cella.state.web;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Limits the requests per second of each principal, and its bursts: a principal that sends too many slows down nobody else.
 * Safe to share between threads.
 */
final class RateLimit {
    private static final double NANOS_PER_SECOND = 1e9;

    private final LongSupplier nanos;
    private final double perSecond;
    private final double atOnce;

    /** There is one entry per token name in use, so the number of tokens bounds this map. */
    private final Map<String, Saved> savedBy = new ConcurrentHashMap<>();

    private record Saved(double requests, long atNanos, boolean lastWasTaken) {}

    RateLimit(LongSupplier nanos, int perSecond, int atOnce) {
        this.nanos = nanos;
        this.perSecond = perSecond;
        this.atOnce = atOnce;
    }

    /** Takes one request of the principal. Returns how long it has to wait if it may not send one now. */
    Optional<Duration> take(String principal) {
        long now = nanos.getAsLong();
        Saved left = savedBy.compute(
                principal, (same, saved) -> after(saved == null ? new Saved(atOnce, now, true) : saved, now));
        return left.lastWasTaken() ? Optional.empty() : Optional.of(Duration.ofSeconds(1));
    }

    /** A request that is refused costs nothing: who sends too many for a long time still gets as many as the limit allows. */
    private Saved after(Saved before, long now) {
        double earned = (now - before.atNanos()) / NANOS_PER_SECOND * perSecond;
        double requests = Math.min(atOnce, before.requests() + earned);
        return requests >= 1 ? new Saved(requests - 1, now, true) : new Saved(requests, now, false);
    }
}
