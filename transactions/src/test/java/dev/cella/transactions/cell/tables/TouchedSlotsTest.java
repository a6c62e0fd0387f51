package dev.cella.transactions.cell.tables;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Slots and the order in which they were touched. */
class TouchedSlotsTest {
    private final TouchedSlots slots = new TouchedSlots();

    @Test
    void slots_areFoundByTheNumbersTheyGot_howeverMany() {
        for (int number = 0; number < 1_000; number++) {
            assertThat(slots.find(slot(number))).isEqualTo(TouchedSlots.NONE);
            assertThat(slots.findOrAdd(slot(number))).isEqualTo(number);
        }
        for (int number = 0; number < 1_000; number++) {
            assertThat(slots.find(slot(number))).isEqualTo(number);
            assertThat(slots.findOrAdd(slot(number))).isEqualTo(number);
        }
        assertThat(slots.count()).isEqualTo(1_000);
    }

    @Test
    void clear_forgetsAll_andCountsAgain() {
        for (int round = 0; round < 3; round++) {
            slots.findOrAdd(0);
            assertThat(slots.findOrAdd(5 + round)).isEqualTo(1);
            slots.clear();
            assertThat(slots.count()).isZero();
            assertThat(slots.find(0)).isEqualTo(TouchedSlots.NONE);
            assertThat(slots.find(5 + round)).isEqualTo(TouchedSlots.NONE);
        }
    }

    @Test
    void clear_whenItsEpochsAreUsedUp_forgetsAll() {
        TouchedSlots last = new TouchedSlots(-1);
        last.findOrAdd(3);
        last.clear();
        assertThat(last.find(0)).isEqualTo(TouchedSlots.NONE);
        assertThat(last.find(3)).isEqualTo(TouchedSlots.NONE);
        assertThat(last.findOrAdd(7)).isZero();
        assertThat(last.find(7)).isZero();
    }

    private static int slot(int number) {
        return 977 * number;
    }
}
