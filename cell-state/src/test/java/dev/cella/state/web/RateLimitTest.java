package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RateLimitTest {
    private static final int PER_SECOND = 10;
    private static final int AT_ONCE = 20;

    private long nanos;
    private final RateLimit limit = new RateLimit(() -> nanos, PER_SECOND, AT_ONCE);

    @Test
    void principalThatSendsTooMany_waits_andOthersDoNot() {
        assertThat(taken("loud", AT_ONCE + 5)).isEqualTo(AT_ONCE);
        assertThat(limit.take("loud")).isPresent();
        assertThat(taken("quiet", AT_ONCE)).isEqualTo(AT_ONCE);
    }

    @Test
    void refusedRequests_costNothing_andASecondEarnsItsShare() {
        taken("loud", 10 * AT_ONCE);

        nanos += TimeUnit.SECONDS.toNanos(1);

        assertThat(taken("loud", AT_ONCE)).isEqualTo(PER_SECOND);
    }

    @Test
    void steadyStreamAboveTheLimit_getsTheLimit() {
        taken("loud", AT_ONCE);
        int taken = 0;
        for (int request = 0; request < 60 * 2 * PER_SECOND; request++) {
            nanos += TimeUnit.SECONDS.toNanos(1) / (2 * PER_SECOND);
            taken += taken("loud", 1);
        }
        assertThat(taken).isEqualTo(60 * PER_SECOND);
    }

    @Test
    void longSilence_earnsNoMoreThanOneBurst() {
        taken("loud", AT_ONCE);

        nanos += TimeUnit.HOURS.toNanos(1);

        assertThat(taken("loud", 10 * AT_ONCE)).isEqualTo(AT_ONCE);
    }

    /** How many of the requests may be sent now. */
    private int taken(String principal, int requests) {
        int taken = 0;
        for (int request = 0; request < requests; request++) {
            taken += limit.take(principal).isEmpty() ? 1 : 0;
        }
        return taken;
    }
}
