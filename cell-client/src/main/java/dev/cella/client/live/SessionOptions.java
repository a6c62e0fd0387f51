package dev.cella.client.live;

import java.time.Duration;
import java.util.Optional;

/**
 * The identity of a session.
 *
 * @param scheduler the scheduler's name in jobs
 * @param instance this process among those that share the jobs
 * @param type the type of scheduler
 * @param lease how long the session stays open without renewal
 * @param offers how it takes part in offers, if it does
 */
public record SessionOptions(
        String scheduler, String instance, String type, Duration lease, Optional<OffersOptions> offers) {
    public SessionOptions {
        if (lease.toMillis() < 3) {
            throw new IllegalArgumentException("a lease of " + lease + " cannot be renewed in time");
        }
    }

    /** One that takes no part in offers. */
    public SessionOptions(String scheduler, String instance, String type, Duration lease) {
        this(scheduler, instance, type, lease, Optional.empty());
    }
}
