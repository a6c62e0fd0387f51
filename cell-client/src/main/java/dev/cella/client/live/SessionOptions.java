package dev.cella.client.live;

import java.time.Duration;

/**
 * The identity of a session.
 *
 * @param scheduler the name that the jobs say
 * @param instance which of the processes that share those jobs
 * @param type what kind of scheduler it is
 * @param lease how long the session stays open without being renewed
 */
public record SessionOptions(String scheduler, String instance, String type, Duration lease) {
    public SessionOptions {
        if (lease.toMillis() < 3) {
            throw new IllegalArgumentException("a lease of " + lease + " cannot be renewed in time");
        }
    }
}
