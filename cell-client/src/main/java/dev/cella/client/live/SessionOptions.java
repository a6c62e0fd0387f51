package dev.cella.client.live;

import java.time.Duration;

/**
 * The identity of a session.
 *
 * @param scheduler the scheduler's name in jobs
 * @param instance this process among those that share the jobs
 * @param type the type of scheduler
 * @param lease how long the session stays open without renewal
 */
public record SessionOptions(String scheduler, String instance, String type, Duration lease) {
    public SessionOptions {
        if (lease.toMillis() < 3) {
            throw new IllegalArgumentException("a lease of " + lease + " cannot be renewed in time");
        }
    }
}
