package dev.cella.client.http;

import java.time.Duration;

/**
 * How long a cell is waited for.
 *
 * @param connectTimeout for the connection
 * @param answerTimeout for an answer, beyond what the request itself asks the cell to wait
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
