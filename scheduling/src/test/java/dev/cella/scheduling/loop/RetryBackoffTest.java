package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetryBackoffTest {
    private final RetryBackoff backoff = new RetryBackoff(100, 5_000);

    @Test
    void delay_doublesWithEachFailureUpToItsLimit() {
        assertThat(RetryBackoff.grown(100, 5_000, 1)).isEqualTo(100);
        assertThat(RetryBackoff.grown(100, 5_000, 2)).isEqualTo(200);
        assertThat(RetryBackoff.grown(100, 5_000, 6)).isEqualTo(3_200);
        assertThat(RetryBackoff.grown(100, 5_000, 7)).isEqualTo(5_000);
        assertThat(RetryBackoff.grown(100, 5_000, 1_000_000)).isEqualTo(5_000);
    }

    @Test
    void delay_ofNothingStaysNothing() {
        assertThat(RetryBackoff.grown(0, 5_000, 30)).isZero();
    }

    @Test
    void jitter_isDrawnFromTheSeed_andTakesAwayHalfAtMost() {
        assertThat(backoff.afterMillis(3, 1)).isEqualTo(backoff.afterMillis(3, 1));
        for (long seed = 0; seed < 1_000; seed++) {
            assertThat(backoff.afterMillis(3, seed)).isBetween(200L, 400L);
        }
    }
}
