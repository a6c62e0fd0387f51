package dev.cella.transactions.cell.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tasks that one transaction names, after those that another transaction named. */
class ClaimedTasksTest {
    private final ClaimedTasks tasks = new ClaimedTasks();

    @Test
    void tasks_areNewOnce_howeverMany() {
        for (int index = 0; index < 1_000; index++) {
            assertThat(tasks.add(index % 7, index % 3, index)).isTrue();
        }
        for (int index = 0; index < 1_000; index++) {
            assertThat(tasks.add(index % 7, index % 3, index)).isFalse();
        }
        assertThat(tasks.add(1, 0, 0)).isTrue();
    }

    @Test
    void clear_forgetsAll() {
        for (int round = 0; round < 3; round++) {
            assertThat(tasks.add(1, 0, 0)).isTrue();
            assertThat(tasks.add(1, 0, round)).isEqualTo(round > 0);
            tasks.clear();
        }
    }

    @Test
    void clear_whenItsEpochsAreUsedUp_forgetsAll() {
        ClaimedTasks last = new ClaimedTasks(-1);
        last.clear();
        assertThat(last.add(0, 0, 0)).isTrue();
        assertThat(last.add(0, 0, 0)).isFalse();
    }
}
