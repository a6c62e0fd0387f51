package dev.cella.cli.job;

import dev.cella.cli.terminal.AwayCell;
import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/** How long to go on asking a cell that is away. A restarting server is away for seconds, and jobs survive that. */
final class AwayPatience {
    private static final Duration AWAY_MAX = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final InstantSource clock;

    AwayPatience(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Asks until there is an answer. Fails as the last question did if the cell refuses it, or was away for too long. That time
     * begins with the first failure, because a question alone may take longer.
     */
    <T> T ask(Supplier<T> question) throws InterruptedException {
        Instant awaySince = null;
        while (true) {
            try {
                return question.get();
            } catch (CellUnreachable | Problem away) {
                Instant now = clock.instant();
                awaySince = awaySince == null ? now : awaySince;
                if (!AwayCell.isIn(away) || now.isAfter(awaySince.plus(AWAY_MAX))) {
                    throw away;
                }
                pause();
            }
        }
    }

    /** As {@link #ask}, after an answer that broke off. */
    <T> T askAgain(Supplier<T> question) throws InterruptedException {
        pause();
        return ask(question);
    }

    private static void pause() throws InterruptedException {
        Thread.sleep(PAUSE.toMillis());
    }
}
