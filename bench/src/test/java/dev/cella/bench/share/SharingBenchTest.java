package dev.cella.bench.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Tests that it measures what it claims; a test cannot judge the speed. */
class SharingBenchTest {
    private final SharingBench bench = new SharingBench(2);

    @Test
    void offers_everyMachineIsOfferedInEachRound() {
        assertThat(bench.offers(200, 20))
                .hasSize(2)
                .allSatisfy(round -> assertThat(round.items()).isEqualTo(200));
    }

    @Test
    void fair_everySlotIsGivenOutInEachRound() {
        assertThat(bench.fair(50, 10, 5))
                .hasSize(2)
                .allSatisfy(round -> assertThat(round.items()).isEqualTo(200));
    }

    @Test
    void noRounds_areRefused() {
        assertThatThrownBy(() -> new SharingBench(0)).hasMessageContaining("1 to 10000 rounds");
    }
}
