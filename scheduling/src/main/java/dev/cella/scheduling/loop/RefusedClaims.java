package dev.cella.scheduling.loop;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TaskRow;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The refused claims of a job's last transaction. Claiming the same machine for the same task again, while both rows are
 * unchanged since the refused plan, must end the same way. That is a defect of the planner, so it is counted and not sent.
 */
record RefusedClaims(long basis, Map<TaskId, Integer> machines) {
    static final RefusedClaims NONE = new RefusedClaims(0, Map.of());

    /** The refused claims for tasks of the job, without those that would have passed. */
    static RefusedClaims of(Transaction transaction, Outcome outcome, JobId job) {
        if (outcome.items() > 0 && outcome.accepted() == transaction.claims()) {
            return NONE;
        }
        Map<TaskId, Integer> machines = new HashMap<>();
        for (int claim = 0; claim < transaction.claims(); claim++) {
            boolean ofJob = transaction.referenceJob(transaction.reference(claim)) == job.version();
            if (ofJob && isRefused(outcome, claim)) {
                machines.put(transaction.task(claim), transaction.machine(claim));
            }
        }
        return new RefusedClaims(transaction.basis().number(), machines);
    }

    /**
     * Whether the claim was refused for itself, or the whole transaction for its content; not if its basis was at fault.
     */
    private static boolean isRefused(Outcome outcome, int claim) {
        if (outcome.items() == 0) {
            return outcome.reason().equals(Optional.of(Reason.BAD_COMMAND))
                    || outcome.reason().equals(Optional.of(Reason.NOT_ALLOWED));
        }
        return !outcome.isAccepted(claim)
                && outcome.result(claim)
                        .reason()
                        .filter(RefusedClaims::isOfTaskOrMachine)
                        .isPresent();
    }

    /** A quota or a right moves without a change of either row, and what fell with others did nothing wrong. */
    private static boolean isOfTaskOrMachine(Reason reason) {
        return reason != Reason.ABORTED && reason != Reason.QUOTA && reason != Reason.NOT_ALLOWED;
    }

    /** Whether a claim of the transaction was refused before, and nothing has changed for it since. */
    boolean isRepeatedBy(Transaction transaction, CellView view) {
        if (machines.isEmpty()) {
            return false;
        }
        for (int claim = 0; claim < transaction.claims(); claim++) {
            TaskId task = transaction.task(claim);
            int machine = transaction.machine(claim);
            if (machines.getOrDefault(task, -1) == machine && isUnchanged(machine, view) && isUnchanged(task, view)) {
                return true;
            }
        }
        return false;
    }

    /** A machine that does not exist counts as unchanged. */
    private boolean isUnchanged(int machine, CellView view) {
        return !view.machineExists(machine) || view.changedVersion(machine) <= basis;
    }

    private boolean isUnchanged(TaskId task, CellView view) {
        return view.task(task)
                        .map(TaskRow::changedVersion)
                        .orElse(CellVersion.NONE)
                        .number()
                <= basis;
    }
}
