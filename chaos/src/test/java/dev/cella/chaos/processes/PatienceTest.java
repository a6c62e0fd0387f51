package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatienceTest {
    private final Patience patience = new Patience(100, 1_000);

    @Test
    void cellThatIsStuck_getsTheUsualTime() {
        patience.sees(100, 7);
        patience.sees(900, 7);
        patience.sees(1_000, 9);
        assertThat(patience.lasts(1_099)).isTrue();
        assertThat(patience.lasts(1_100)).isFalse();
    }

    @Test
    void cellThatGetsOn_getsLonger_butNotForEver() {
        for (long now = 100; now < 10_000; now += 400) {
            patience.sees(now, 100 - now / 400);
        }
        assertThat(patience.lasts(4_099)).isTrue();
        assertThat(patience.lasts(4_100)).isFalse();
    }

    @Test
    void lastStepLate_getsHalfTheTimeAgain() {
        patience.sees(1_000, 3);
        assertThat(patience.lasts(1_499)).isTrue();
        assertThat(patience.lasts(1_500)).isFalse();
    }
}
