package dev.cella.client.http;

import java.time.Duration;

/**
 * The time-outs for a cell.
 *
 * @param connectTimeout for the connection
 * @param answerTimeout for an answer, beyond the wait that the request itself asks for
 * @param longAnswerTimeout for an answer for which a server may work as long as it works for any: it gives up after 75 s
 * @param silenceMax how long a followed log may bring nothing, and a backup, which is made before it is sent
 * @param leaderPatience how long servers are asked again while they elect a leader
 */
public record HttpCellOptions(
        Duration connectTimeout,
        Duration answerTimeout,
        Duration longAnswerTimeout,
        Duration silenceMax,
        Duration leaderPatience) {
    public static final HttpCellOptions DEFAULT = new HttpCellOptions(
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(80),
            Duration.ofMinutes(5),
            Duration.ofSeconds(5));

    /** For a caller that asks again by itself, or wants to know at once that there is no leader. */
    public HttpCellOptions(Duration connectTimeout, Duration answerTimeout) {
        this(connectTimeout, answerTimeout, DEFAULT.longAnswerTimeout, DEFAULT.silenceMax, Duration.ZERO);
    }

    public HttpCellOptions {
        mustBePositive(connectTimeout, "connect timeout");
        mustBePositive(answerTimeout, "answer timeout");
        mustBePositive(longAnswerTimeout, "long answer timeout");
        mustBePositive(silenceMax, "longest silence");
        if (leaderPatience.isNegative()) {
            throw new IllegalArgumentException("leader patience " + leaderPatience);
        }
    }

    private static void mustBePositive(Duration timeout, String name) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(name + " " + timeout);
        }
    }
}
