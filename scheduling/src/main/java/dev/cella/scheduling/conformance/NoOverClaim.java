package dev.cella.scheduling.conformance;

import dev.cella.scheduling.Result;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Transaction;

/**
 * Alone on a cell, everything that the scheduler requests is accepted: it claims only free amounts, only where it may, and
 * only once.
 */
final class NoOverClaim implements Check {
    @Override
    public String promise() {
        return "claims nothing that is not there";
    }

    @Override
    public void on(Trial trial) {
        DrivenScheduler<?> driven = trial.drive(trial.drawCell(trial.random()));
        driven.watchedBy(new DrivenScheduler.Witness() {
            @Override
            public void decided(Transaction transaction, Outcome outcome) {
                if (!new Result(transaction, outcome).isWhole()) {
                    throw driven.failed("nobody else is there, and it is refused: " + outcome);
                }
            }
        });
        driven.run();
    }
}
