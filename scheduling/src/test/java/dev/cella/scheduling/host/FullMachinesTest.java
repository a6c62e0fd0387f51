package dev.cella.scheduling.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.placement.MachineSet;
import dev.cella.transactions.model.Amounts;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FullMachinesTest {
    private static final Amounts SMALL = Amounts.of(1_000, 1);
    private static final Amounts LARGE = Amounts.of(2_000, 1);
    private static final MachineSet PART = MachineSet.of(1, 2);

    private final FullMachines full = new FullMachines();

    @Test
    void mayHaveRoom_beforeASearchFoundNone_isUnknown() {
        full.gained(3);

        assertThat(full.mayHaveRoom(SMALL, null)).isEmpty();
    }

    @Test
    void mayHaveRoom_afterASearchFoundNone_namesWhatHasGainedSince() {
        full.gained(7);
        full.foundNone(SMALL, null);
        full.gained(3);
        full.gained(1);
        full.gained(3);

        assertThat(room(SMALL, null)).containsExactlyInAnyOrder(1, 3);
    }

    @Test
    void mayHaveRoom_ofAnotherShapeOrAnotherPart_isUnknown() {
        full.foundNone(SMALL, PART);

        assertThat(full.mayHaveRoom(LARGE, PART)).isEmpty();
        assertThat(full.mayHaveRoom(SMALL, null)).isEmpty();
    }

    @Test
    void mayHaveRoom_withinAPart_leavesOutOtherMachines() {
        full.foundNone(SMALL, PART);
        full.gained(2);
        full.gained(5);

        assertThat(room(SMALL, PART)).containsExactly(2);
    }

    @Test
    void mayHaveRoom_afterMoreGainsThanItKeeps_isUnknown() {
        full.foundNone(SMALL, null);
        IntStream.range(0, FullMachines.GAINS_MAX).forEach(full::gained);
        assertThat(room(SMALL, null)).hasSize(FullMachines.GAINS_MAX);

        full.gained(0);
        assertThat(full.mayHaveRoom(SMALL, null)).isEmpty();
    }

    @Test
    void forget_leavesNothingKnown() {
        full.foundNone(SMALL, null);
        full.forget();

        assertThat(full.mayHaveRoom(SMALL, null)).isEqualTo(Optional.empty());
    }

    private int[] room(Amounts shape, @Nullable MachineSet within) {
        return full.mayHaveRoom(shape, within).orElseThrow().toArray();
    }
}
