package dev.cella.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AwayPatienceTest {
    private Instant now = Instant.parse("2026-11-20T12:00:00Z");
    private int asked;

    private final AwayPatience patience = new AwayPatience(() -> now);

    /** A server that is paused says nothing until the time-out of the call. */
    @Test
    void questionThatIsInVainForLongerThanThePatience_isAskedAgain() throws InterruptedException {
        assertThat(patience.<Integer>ask(() -> takes(40, 2))).isEqualTo(2);
    }

    @Test
    void tokenThatAsksTooOften_asksAgain() throws InterruptedException {
        assertThat(patience.<Integer>ask(() -> {
                    if (++asked == 1) {
                        throw Problem.of(ProblemType.RATE_LIMITED, "The token asks too often");
                    }
                    return asked;
                }))
                .isEqualTo(2);
    }

    @Test
    void cellThatStaysAway_isGivenUp() {
        assertThatThrownBy(() -> patience.ask(() -> takes(16, 100)))
                .isInstanceOf(Problem.class)
                .hasMessage("away");
        assertThat(asked).isEqualTo(3);
    }

    /** Answers the try of that number. */
    private int takes(int seconds, int good) {
        now = now.plusSeconds(seconds);
        asked++;
        if (asked < good) {
            throw Problem.unavailable("away");
        }
        return asked;
    }
}
