package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.scheduling.Rounds;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.TransactionId;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The times at which a scheduler without jobs gets its turns. */
class RoundTimesTest {
    private static final Rounds EVERY_SECOND = new Rounds(Duration.ofSeconds(1), Duration.ofMillis(50));

    private final RoundTimes times = new RoundTimes(Optional.of(EVERY_SECOND));

    private boolean isDue(long millis) {
        return times.isDue(new CellTime(millis), transaction -> false);
    }

    private void round(long millis) {
        times.began(new CellTime(millis));
        times.ended();
    }

    @Test
    void schedulerWithoutRounds_getsNone() {
        RoundTimes none = new RoundTimes(Optional.empty());
        assertThat(none.isDue(new CellTime(1_000_000), transaction -> false)).isFalse();
        assertThat(none.next()).isEmpty();
    }

    @Test
    void firstRound_isDueAtOnce_andTheNextAfterTheInterval() {
        assertThat(isDue(1)).isTrue();
        round(100);
        assertThat(isDue(1_099)).isFalse();
        assertThat(isDue(1_100)).isTrue();
    }

    @Test
    void changedView_bringsTheNextRoundForward_butNotAtOnce() {
        round(100);
        times.changed();
        assertThat(isDue(149)).isFalse();
        assertThat(isDue(150)).isTrue();
        round(150);
        assertThat(isDue(200)).as("the change was seen").isFalse();
    }

    @Test
    void roundUnderWay_isTheOnlyOne() {
        times.began(new CellTime(100));
        times.changed();
        assertThat(isDue(10_000)).isFalse();
        assertThat(times.next()).isEmpty();
        times.ended();
        assertThat(isDue(10_000)).isTrue();
    }

    @Test
    void nextRound_waitsUntilTheLastOneIsDecided() {
        TransactionId asked = new TransactionId("offers-1");
        times.began(new CellTime(100));
        times.asks(asked);
        times.ended();
        assertThat(times.isDue(new CellTime(5_000), Set.of(asked)::contains)).isFalse();
        assertThat(isDue(5_000)).isTrue();
    }

    @Test
    void impossibleRounds_areRefused() {
        assertThatThrownBy(() -> new Rounds(Duration.ZERO, Duration.ZERO)).hasMessageContaining("every");
        assertThatThrownBy(() -> new Rounds(Duration.ofMillis(10), Duration.ofMillis(11)))
                .hasMessageContaining("not sooner than");
    }
}
