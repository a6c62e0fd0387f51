package dev.cella.bench.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.Cell;
import org.junit.jupiter.api.Test;

/** The memory of one machine, one live task and one kept outcome of a cell. */
class CellBytesTest {
    private static final int MACHINES = 10_000;
    private static final int TASKS = 200_000;
    private static final int OUTCOMES = TASKS / CommitBenchmark.CLAIMS;

    @Test
    void bytes_ofALargeCell_areFewARow() {
        long before = used();
        Cell cell = CommitBenchmark.cellOf(MACHINES);
        long machines = used() - before;
        CommitBenchmark.place(cell, TASKS, MACHINES);
        long tasks = used() - before - machines - cell.outcomeBytes();
        assertThat(machines / MACHINES).as("bytes a machine").isBetween(100L, 1_000L);
        assertThat(tasks / TASKS).as("bytes a live task").isBetween(48L, 100L);
        assertThat(cell.outcomeBytes() / OUTCOMES).as("bytes an outcome").isBetween(24L, 64L);
        assertThat(cell.view().tasksOn(0)).isPositive();
    }

    private static long used() {
        for (int round = 0; round < 3; round++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
