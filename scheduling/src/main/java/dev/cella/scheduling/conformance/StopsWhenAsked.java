package dev.cella.scheduling.conformance;

import dev.cella.scheduling.Plan;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Unplaced;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Transaction;

/** A job that is stopped while half of it waits is forgotten: later plans neither claim nor explain it. */
final class StopsWhenAsked implements Check {
    @Override
    public String promise() {
        return "plans nothing more for a job that was stopped";
    }

    @Override
    public void on(Trial trial) {
        SampleCell cell = SampleCell.of(3, 4_000, 16_384);
        JobId stopped = cell.submit(trial.job("stopped", 40, 500, 512));
        DrivenScheduler<?> driven = trial.drive(cell);
        driven.run();
        cell.stop(stopped);
        driven.watchedBy(new DrivenScheduler.Witness() {
            @Override
            public void planned(CellView view, Plan<?> plan) {
                if (names(plan, stopped)) {
                    throw driven.failed("the job " + stopped + " was stopped, and this plan is about it");
                }
            }
        });
        driven.run();
        cell.submit(trial.job("next", 4, 500, 512));
        driven.run();
    }

    private static boolean names(Plan<?> plan, JobId job) {
        return plan.proposals().stream().map(Proposal::transaction).anyMatch(each -> claimsFor(each, job))
                || plan.unplaced().stream().map(Unplaced::job).anyMatch(job::equals)
                || plan.wakes().stream().anyMatch(wake -> wake.job().id().equals(job));
    }

    private static boolean claimsFor(Transaction transaction, JobId job) {
        for (int claim = 0; claim < transaction.claims(); claim++) {
            if (transaction.task(claim).job().equals(job)) {
                return true;
            }
        }
        return false;
    }
}
