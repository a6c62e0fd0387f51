package dev.cella.scheduling.conformance;

import dev.cella.scheduling.Result;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Transaction;
import java.util.List;
import java.util.Optional;

/**
 * A gang waits while others fill the cell, so that holds are made for it, and then has room. Its claims and holds are accepted
 * while nobody else decides, and none of its tasks is on a machine before all are.
 */
final class PlacesGangsWhole implements Check {
    private static final int TASKS = 4;
    private static final long HOLD_AFTER_MILLIS = 1_000;
    private static final long LOOK_MILLIS = 20_000;

    @Override
    public String promise() {
        return "asks for a gang whole or not at all";
    }

    @Override
    public void on(Trial trial) {
        SampleCell cell = SampleCell.of(4, 4_000, 16_384);
        JobId others = cell.fill(AsksWhatItMay.lessImportant());
        JobId gang = cell.submit(withGang(trial.job("gang", TASKS, 1_000, 512)));
        DrivenScheduler<?> driven = trial.drive(cell);
        driven.watchedBy(new DrivenScheduler.Witness() {
            @Override
            public void decided(Transaction transaction, Outcome outcome) {
                int placed = cell.view().job(gang).orElseThrow().counts().onMachines();
                if (placed > 0 && placed < TASKS) {
                    throw driven.failed("it places " + placed + " tasks of a gang of " + TASKS);
                }
                if (!new Result(transaction, outcome).isWhole()) {
                    throw driven.failed("nobody else decides anything, and it is refused: " + outcome);
                }
            }
        });
        driven.runUntil(cell.time().plusMillis(LOOK_MILLIS));
        cell.stop(others);
        driven.runUntil(cell.time().plusMillis(LOOK_MILLIS));
    }

    private static JobHeader withGang(JobHeader job) {
        Amounts shape = job.groups().get(0).shape();
        Gang gang = new Gang(TASKS, HOLD_AFTER_MILLIS, Gang.Restarts.ALL);
        GroupHeader group =
                new GroupHeader("main", TASKS, shape, Restart.BATCH, 0, 0, OnLost.REPLACE, Optional.of(gang));
        return job.withGroups(List.of(group));
    }
}
