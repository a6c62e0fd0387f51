package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class EntryPaceTest {
    private static final Duration DISTANCE = Duration.ofMillis(3);

    private final EntryPace pace = new EntryPace(DISTANCE);

    private static long millis(long count) {
        return Duration.ofMillis(count).toNanos();
    }

    @Test
    void delay_firstOfAll_isNothing() {
        assertThat(pace.delay(-millis(7), 1)).isZero();
    }

    @Test
    void delay_fewerThanBefore_isTheRestOfTheDistance() {
        pace.proposed(millis(10), 5);
        assertThat(pace.delay(millis(11), 4)).isEqualTo(Duration.ofMillis(2));
        assertThat(pace.delay(millis(13), 4)).isZero();
        assertThat(pace.delay(millis(1000), 1)).isZero();
    }

    @Test
    void delay_asManyAsBefore_isNothing() {
        pace.proposed(millis(10), 5);
        assertThat(pace.delay(millis(10), 5)).isZero();
    }

    @Test
    void delay_callersThatAskAgainAfterTheirAnswer_neverWaitOnceAllDo() {
        int callers = 3;
        for (int round = 0; round < 100; round++) {
            assertThat(pace.delay(millis(round), callers)).isZero();
            pace.proposed(millis(round), callers);
        }
    }

    @Test
    void delay_afterManyCommands_aCallerThatIsLeftAloneSoonWaitsNoMore() {
        pace.proposed(0, 5);
        int waits = 0;
        while (!pace.delay(0, 1).isZero()) {
            pace.proposed(0, 1);
            waits++;
        }
        assertThat(waits).isBetween(1, 50);
    }
}
