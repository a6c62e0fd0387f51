package dev.cella.client.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.Problem;
import java.net.URI;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofMillis(1000), new Random(1));

    @Test
    void serverThatNamesTheLeader_isLeftAtOnceOnlyTheFirstTime() {
        Problem handedOver = Problem.noLeader("it hands over").withLeader(URI.create("http://127.0.0.1:1"));
        assertThat(backoff.nextDelayMillis(handedOver)).isZero();
        assertThat(backoff.nextDelayMillis(handedOver)).isPositive();
        backoff.reset();
        assertThat(backoff.nextDelayMillis(handedOver)).isZero();
    }

    @Test
    void nextDelay_doublesUpToItsBound() {
        assertThat(backoff.nextDelayMillis()).isBetween(50L, 100L);
        assertThat(backoff.nextDelayMillis()).isBetween(100L, 200L);
        assertThat(backoff.nextDelayMillis()).isBetween(200L, 400L);
        assertThat(backoff.nextDelayMillis()).isBetween(400L, 800L);
        for (int i = 0; i < 100; i++) {
            assertThat(backoff.nextDelayMillis()).isBetween(500L, 1000L);
        }
    }

    @Test
    void whileALeaderIsLookedFor_pausesAreShort_alsoAfterTheOneThatIsGone() {
        Problem gone = Problem.unavailable("connection refused");
        Problem noLeader = Problem.noLeader("none is known");
        for (int round = 0; round < 20; round++) {
            assertThat(backoff.nextDelayMillis(noLeader)).isLessThanOrEqualTo(300);
            assertThat(backoff.nextDelayMillis(noLeader)).isLessThanOrEqualTo(300);
            assertThat(backoff.nextDelayMillis(gone)).isLessThanOrEqualTo(300);
        }
    }

    @Test
    void whenNobodyIsThere_pausesGrowAgain() {
        Problem gone = Problem.unavailable("connection refused");
        assertThat(backoff.nextDelayMillis(Problem.noLeader("none is known"))).isLessThanOrEqualTo(100);
        for (int one = 0; one < 4; one++) {
            assertThat(backoff.nextDelayMillis(gone)).isLessThanOrEqualTo(300);
        }
        assertThat(backoff.nextDelayMillis(gone)).isGreaterThanOrEqualTo(500);
    }

    @Test
    void reset_beginsAgain() {
        assertThat(backoff.nextDelayMillis()).isPositive();
        assertThat(backoff.nextDelayMillis()).isGreaterThanOrEqualTo(100);

        backoff.reset();

        assertThat(backoff.nextDelayMillis()).isLessThanOrEqualTo(100);
    }
}
