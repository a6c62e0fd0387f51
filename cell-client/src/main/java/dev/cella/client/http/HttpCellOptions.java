package dev.cella.client.http;

import java.time.Duration;

/**
 * The time-outs for a cell.
 *
 * @param connectTimeout for the connection
 * @param answerTimeout for an answer, beyond the wait that the request itself asks for
 */
public record HttpCellOptions(Duration connectTimeout, Duration answerTimeout) {
    public static final HttpCellOptions DEFAULT = new HttpCellOptions(Duration.ofSeconds(5), Duration.ofSeconds(30));

    public HttpCellOptions {
        if (connectTimeout.isNegative() || connectTimeout.isZero()) {
            throw new IllegalArgumentException("connect timeout " + connectTimeout);
        }
        if (answerTimeout.isNegative() || answerTimeout.isZero()) {
            throw new IllegalArgumentException("answer timeout " + answerTimeout);
        }
    }
}
