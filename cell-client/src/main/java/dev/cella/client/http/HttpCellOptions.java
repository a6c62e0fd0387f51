package dev.cella.client.http;

import java.time.Duration;

/**
 * The time-outs for a cell.
 *
 * @param connectTimeout for the connection
 * @param answerTimeout for an answer, beyond the wait that the request itself asks for
 * @param leaderPatience how long servers are asked again while they elect a leader
 */
public record HttpCellOptions(Duration connectTimeout, Duration answerTimeout, Duration leaderPatience) {
    public static final HttpCellOptions DEFAULT =
            new HttpCellOptions(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(5));

    /** For a caller that asks again by itself, or wants to know at once that there is no leader. */
    public HttpCellOptions(Duration connectTimeout, Duration answerTimeout) {
        this(connectTimeout, answerTimeout, Duration.ZERO);
    }

    public HttpCellOptions {
        if (connectTimeout.isNegative() || connectTimeout.isZero()) {
            throw new IllegalArgumentException("connect timeout " + connectTimeout);
        }
        if (answerTimeout.isNegative() || answerTimeout.isZero()) {
            throw new IllegalArgumentException("answer timeout " + answerTimeout);
        }
        if (leaderPatience.isNegative()) {
            throw new IllegalArgumentException("leader patience " + leaderPatience);
        }
    }
}
