package dev.cella.scheduling.conformance;

import dev.cella.scheduling.Result;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Transaction;

/**
 * The scheduler is alone in deciding. A less important job fills the cell, tasks run and end, a quota is narrow, and its own
 * job is updated and grows. Every eviction, hold, step and claim that it requests is accepted, and all its tasks are placed
 * once there is room.
 */
final class AsksWhatItMay implements Check {
    private static final int TASKS = 6;
    private static final int MORE = 9;

    @Override
    public String promise() {
        return "asks for nothing that it may not have";
    }

    @Override
    public void on(Trial trial) {
        SampleCell cell = SampleCell.of(4, 4_000, 16_384).withTasksThatRun(1_000);
        JobId others = cell.fill(lessImportant());
        cell.limit("default", 24_000);
        DrivenScheduler<?> driven = trial.drive(cell);
        driven.watchedBy(new DrivenScheduler.Witness() {
            @Override
            public void decided(Transaction transaction, Outcome outcome) {
                if (!new Result(transaction, outcome).isWhole()) {
                    throw driven.failed("nobody else decides anything, and it is refused: " + outcome);
                }
            }
        });
        JobId job = cell.submit(trial.job("wanted", TASKS, 1_000, 512));
        driven.run();
        cell.update(trial.job("wanted", MORE, 1_000, 256));
        driven.run();
        cell.stop(others);
        driven.run();
        int pending = cell.view().job(job).map(row -> row.toPlan()).orElse(0);
        if (pending > 0) {
            throw driven.failed("the cell is empty, and " + pending + " of " + MORE + " tasks are still pending");
        }
    }

    /** A job of another scheduler that fills a cell of 16 cores. */
    static JobHeader lessImportant() {
        JobHeader batch = SampleCell.batch("less-important", 16, 1_000, 512);
        return new JobHeader(
                batch.name(),
                batch.type(),
                "others",
                "others",
                1,
                batch.atomicity(),
                batch.conflictRule(),
                batch.groups());
    }
}
