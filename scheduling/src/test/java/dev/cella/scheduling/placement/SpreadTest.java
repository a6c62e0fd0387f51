package dev.cella.scheduling.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void evenly_givesEachValueTheSame_roundedUp() {
        assertThat(Spread.evenly("rack").wanted("r1", 100, 3)).isEqualTo(34);
        assertThat(Spread.evenly("rack").wantedOfRest(100, 3)).isEqualTo(34);
    }

    @Test
    void valuesWithoutATarget_shareTheRest() {
        Spread spread = Spread.of("zone", Map.of("z1", 50));
        assertThat(spread.wanted("z1", 100, 3)).isEqualTo(50);
        assertThat(spread.wanted("z2", 100, 3)).isEqualTo(25);
        assertThat(spread.wantedOfRest(100, 3)).isEqualTo(25);
    }

    @Test
    void nothingIsLeftOfAWhole() {
        assertThat(Spread.of("zone", Map.of("z1", 100)).wantedOfRest(100, 3)).isZero();
    }
}
