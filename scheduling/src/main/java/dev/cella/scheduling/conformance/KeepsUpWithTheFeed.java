package dev.cella.scheduling.conformance;

import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Transaction;

/**
 * The scheduler plans on the present cell: it claims nothing on machines that are drained or lost, and places a waiting job on
 * machines that come later, without any other event.
 */
final class KeepsUpWithTheFeed implements Check {
    private static final int TASKS = 60;

    @Override
    public String promise() {
        return "keeps up with what happens to the cell";
    }

    @Override
    public void on(Trial trial) {
        SampleCell cell = SampleCell.of(3, 4_000, 16_384);
        cell.submit(trial.job("waits", TASKS, 500, 512));
        DrivenScheduler<?> driven = trial.drive(cell);
        driven.watchedBy(new DrivenScheduler.Witness() {
            @Override
            public void decided(Transaction transaction, Outcome outcome) {
                if (outcome.accepted() < transaction.claims()) {
                    throw driven.failed("it claims what is there no more: " + outcome);
                }
            }
        });
        driven.run();
        cell.drain("m1");
        cell.lose("m2");
        driven.run();
        for (int machine = 0; machine < 10; machine++) {
            cell.machine("new-" + machine, 16_000, 65_536);
        }
        driven.run();
        int pending = cell.view().job("waits").orElseThrow().toPlan();
        if (pending > 0) {
            throw driven.failed("ten machines came, each with room for 30 tasks, and " + pending + " of " + TASKS
                    + " are still pending");
        }
    }
}
