package dev.cella.transactions.cell.pages;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Values under numbers, and when they are forgotten. */
class SharedValuesTest {
    private final SharedValues<String> values = new SharedValues<>();

    @Test
    void value_usedByTwoRows_isForgottenWithTheSecond() {
        int number = values.add("a");
        values.exchange(SharedValues.NONE, number);
        values.exchange(SharedValues.NONE, number);
        values.exchange(number, SharedValues.NONE);
        assertThat(values.get(number)).isEqualTo("a");
        values.exchange(number, SharedValues.NONE);
        assertThat(values.get(number)).isNull();
    }

    @Test
    void value_exchangedForItself_isKept() {
        int number = values.add("a");
        values.exchange(SharedValues.NONE, number);
        values.exchange(number, number);
        assertThat(values.get(number)).isEqualTo("a");
    }

    @Test
    void numbers_thatWereForgotten_areGivenAndCountedAgain() {
        int[] numbers = new int[200];
        for (int place = 0; place < numbers.length; place++) {
            numbers[place] = values.add("v" + place);
            values.exchange(SharedValues.NONE, numbers[place]);
        }
        assertThat(numbers).doesNotHaveDuplicates().doesNotContain(SharedValues.NONE);
        values.exchange(numbers[7], numbers[9]);
        values.exchange(numbers[8], SharedValues.NONE);
        assertThat(values.add("last")).isEqualTo(numbers[8]);
        int again = values.add("again");
        assertThat(again).isEqualTo(numbers[7]);
        values.exchange(SharedValues.NONE, again);
        values.exchange(again, SharedValues.NONE);
        assertThat(values.get(again)).isNull();
        assertThat(values.get(numbers[9])).isEqualTo("v9");
    }

    @Test
    void copy_showsValuesOfItsMoment() {
        int number = values.add("a");
        values.exchange(SharedValues.NONE, number);
        SharedValues<String> copy = values.copy();
        values.exchange(number, SharedValues.NONE);
        assertThat(values.add("b")).isEqualTo(number);
        assertThat(copy.get(number)).isEqualTo("a");
    }
}
