package dev.cella.scheduling.conformance;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Just before the scheduler's commit, a rival takes every machine that it claims, several times over. When the rival leaves,
 * the scheduler places everything.
 */
final class SurvivesConflicts implements Check {
    private static final int ROUNDS = 3;
    private static final int TASKS = 12;

    @Override
    public String promise() {
        return "gets over a conflict on every claim";
    }

    @Override
    public void on(Trial trial) {
        SampleCell cell = SampleCell.of(8, 16_000, 65_536);
        cell.submit(trial.job("wanted", TASKS, 500, 512));
        DrivenScheduler<?> driven = trial.drive(cell);
        Rival rival = new Rival(cell);
        driven.watchedBy(rival);
        for (int round = 0; round <= ROUNDS; round++) {
            driven.run();
            rival.leave();
        }
        driven.run();
        int pending = cell.view().job("wanted").orElseThrow().toPlan();
        if (pending > 0) {
            throw driven.failed("after " + rival.rounds + " conflicts the cell is empty again, and " + pending + " of "
                    + TASKS + " tasks are still pending");
        }
    }

    /**
     * Takes everything free on the machines of a transaction before its decision, and gives it back when it leaves.
     */
    private static final class Rival implements DrivenScheduler.Witness {
        private final SampleCell cell;
        private final List<JobId> jobs = new ArrayList<>();
        private int rounds;

        Rival(SampleCell cell) {
            this.cell = cell;
        }

        @Override
        public void submitted(Transaction transaction) {
            if (rounds < ROUNDS && transaction.claims() > 0) {
                Set<Integer> machines = new TreeSet<>();
                for (int claim = 0; claim < transaction.claims(); claim++) {
                    machines.add(transaction.machine(claim));
                }
                machines.removeIf(machine -> free(machine).isNone());
                if (!machines.isEmpty()) {
                    rounds++;
                    takeAll(List.copyOf(machines));
                }
            }
        }

        private void takeAll(List<Integer> machines) {
            List<GroupHeader> groups = new ArrayList<>();
            for (int machine : machines) {
                groups.add(new GroupHeader("on-" + machine, 1, free(machine), Restart.BATCH));
            }
            JobId job = cell.submit(new JobHeader(
                    "rival-" + rounds,
                    JobType.BATCH,
                    "rival",
                    "default",
                    50,
                    Atomicity.INCREMENTAL,
                    ConflictRule.RESOURCE,
                    groups));
            jobs.add(job);
            CellView view = cell.view();
            Transaction.Builder claims = Transaction.builder(new TransactionId("rival-" + rounds), "rival")
                    .incarnation(view.incarnation())
                    .basis(view.version());
            for (int group = 0; group < machines.size(); group++) {
                claims.claim(
                        job.version(), group, 0, view.job(job).orElseThrow().generation(), machines.get(group));
            }
            cell.commit(claims.build());
        }

        private Amounts free(int machine) {
            long[] free = new long[cell.view().dimensions().size()];
            Arrays.setAll(free, dimension -> cell.view().free(machine, dimension));
            return Amounts.of(free);
        }

        void leave() {
            jobs.forEach(cell::stop);
            jobs.clear();
        }
    }
}
