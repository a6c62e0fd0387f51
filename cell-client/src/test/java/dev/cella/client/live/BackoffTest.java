package dev.cella.client.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofMillis(1000), new Random(1));

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
    void reset_beginsAgain() {
        assertThat(backoff.nextDelayMillis()).isPositive();
        assertThat(backoff.nextDelayMillis()).isGreaterThanOrEqualTo(100);

        backoff.reset();

        assertThat(backoff.nextDelayMillis()).isLessThanOrEqualTo(100);
    }
}
