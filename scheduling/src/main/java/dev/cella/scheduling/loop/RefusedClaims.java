package dev.cella.scheduling.loop;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The refused part of a job's last transaction. Claiming the same machine for the same task and generation again, while both
 * rows are unchanged since the refused plan, must end the same way; so must a transaction that was refused for its content.
 * That is a defect of the planner, so it is counted and not sent.
 *
 * @param whole the content of a transaction that was refused as a whole for its content
 */
record RefusedClaims(long basis, Map<TaskId, Refused> claims, OptionalLong whole) {
    /** A claim of one task. The generation counts, because an update of the job changes no row of its pending tasks. */
    record Refused(int generation, int machine) {
        static Refused of(Transaction transaction, int claim) {
            return new Refused(transaction.generation(claim), transaction.machine(claim));
        }
    }

    static final RefusedClaims NONE = new RefusedClaims(0, Map.of(), OptionalLong.empty());

    /** The refused claims for tasks of the job, without those that would have passed. */
    static RefusedClaims of(Transaction transaction, Outcome outcome, JobId job) {
        long basis = transaction.basis().number();
        if (outcome.items() == 0) {
            return isRefusedForItsContent(transaction, outcome)
                    ? new RefusedClaims(basis, Map.of(), OptionalLong.of(transaction.contentDigest()))
                    : NONE;
        }
        if (outcome.accepted() == transaction.claims()) {
            return NONE;
        }
        Map<TaskId, Refused> claims = new HashMap<>();
        for (int claim = 0; claim < transaction.claims(); claim++) {
            boolean ofJob = transaction.referenceJob(transaction.reference(claim)) == job.version();
            if (ofJob && isRefused(outcome, claim)) {
                claims.put(transaction.task(claim), Refused.of(transaction, claim));
            }
        }
        return new RefusedClaims(basis, claims, OptionalLong.empty());
    }

    /**
     * Such a refusal says nothing about single claims: another transaction with the same claims may pass. The cell's feature
     * level may rise, so a transaction that needs one is not refused for its content alone.
     */
    private static boolean isRefusedForItsContent(Transaction transaction, Outcome outcome) {
        return switch (outcome.reason().orElse(Reason.ABORTED)) {
            case BAD_COMMAND, NOT_ALLOWED -> !transaction.isOfLevel5() && !transaction.isOfLevel7();
            default -> false;
        };
    }

    private static boolean isRefused(Outcome outcome, int claim) {
        return !outcome.isAccepted(claim)
                && outcome.result(claim)
                        .reason()
                        .filter(RefusedClaims::isOfTaskOrMachine)
                        .isPresent();
    }

    /**
     * A quota, a right, an offer, a queue or the number of a group's tasks changes without a change of either row, and a claim
     * that fell with others did nothing wrong.
     */
    private static boolean isOfTaskOrMachine(Reason reason) {
        return switch (reason) {
            case ABORTED, QUOTA, NOT_ALLOWED, NOT_OFFERED, UNKNOWN_TASK -> false;
            case ALREADY_QUEUED, TOO_MANY_ROWS, QUEUE_FULL, NOT_QUEUED -> false;
            default -> true;
        };
    }

    /** Returns whether a part of the transaction was refused before, and nothing has changed for it since. */
    boolean isRepeatedBy(Transaction transaction, CellView view) {
        if (whole.isPresent()) {
            return whole.getAsLong() == transaction.contentDigest();
        }
        if (claims.isEmpty()) {
            return false;
        }
        for (int claim = 0; claim < transaction.claims(); claim++) {
            TaskId task = transaction.task(claim);
            int machine = transaction.machine(claim);
            boolean isSame = Refused.of(transaction, claim).equals(claims.get(task));
            if (isSame && isUnchanged(machine, view) && isUnchanged(task, view)) {
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
