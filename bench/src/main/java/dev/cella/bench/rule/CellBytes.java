package dev.cella.bench.rule;

import dev.cella.transactions.cell.Cell;

/** What one machine, one live task and one kept outcome of a cell take of the memory. */
public final class CellBytes {
    private static final int MACHINES = 50_000;
    private static final int TASKS = 1_000_000;

    /** Prints them, for a cell of 50,000 machines and a million tasks; give it a heap of a gigabyte. */
    public static void main(String[] arguments) {
        long before = used();
        Cell cell = CommitBenchmark.cellOf(MACHINES);
        long machines = used() - before;
        CommitBenchmark.place(cell, TASKS, MACHINES);
        cell.takeForgottenOutcomes();
        long all = used() - before;
        long outcomes = cell.outcomeBytes();
        int kept = TASKS / CommitBenchmark.CLAIMS;
        System.out.printf("%,d bytes in all%n", all);
        System.out.printf("%,d a machine, of %,d%n", machines / MACHINES, MACHINES);
        System.out.printf("%,d a live task, of %,d%n", (all - machines - outcomes) / TASKS, TASKS);
        System.out.printf("%,d an outcome, of %,d%n", outcomes / kept, kept);
        if (!cell.view().isFounded()) {
            throw new IllegalStateException("the cell is gone");
        }
    }

    private static long used() {
        for (int round = 0; round < 3; round++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private CellBytes() {}
}
