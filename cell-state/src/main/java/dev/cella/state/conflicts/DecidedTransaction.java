package dev.cella.state.conflicts;

import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One transaction as the changes describe it: its identity, its result, and its refused items. */
record DecidedTransaction(
        Origin origin,
        long atMillis,
        Verdict verdict,
        long basis,
        int accepted,
        int conflicted,
        int refused,
        List<RefusedItem> refusedItems,
        Map<Long, Integer> acceptedByJob) {
    /** An item with its own reason for refusal. Aborted items are not included. */
    record RefusedItem(TaskId task, int machine, ItemResult result) {}

    /** A transaction without a basis counts as planned on the version just before its own. */
    DecidedTransaction {
        basis = basis == 0 ? origin.version() - 1 : basis;
    }

    /** Returns whether it had any claims. A transaction with only steps is no attempt to place. */
    boolean isAttempt() {
        return accepted + conflicted + refused > 0 || verdict == Verdict.REJECTED;
    }

    Totals totals() {
        boolean conflict = conflicted > 0;
        boolean success = !conflict && accepted > 0;
        return new Totals(
                1, success ? 1 : 0, conflict ? 1 : 0, !conflict && !success ? 1 : 0, accepted, conflicted, refused);
    }

    /** How many versions the cell had advanced since the plan, not counting this transaction. */
    long stalenessVersions() {
        return origin.version() - 1 - basis;
    }

    /** The outcome of its claims for each job. */
    Map<Long, Attempt> attempts(int aborted) {
        Map<Long, int[]> counts = new LinkedHashMap<>();
        acceptedByJob.forEach((job, count) -> counts.computeIfAbsent(job, first -> new int[3])[0] += count);
        for (RefusedItem item : refusedItems) {
            int[] ofJob = counts.computeIfAbsent(item.task().job().version(), first -> new int[3]);
            ofJob[item.result().conflict() ? 1 : 2]++;
        }
        Map<Long, Attempt> attempts = new LinkedHashMap<>();
        counts.forEach((job, count) -> attempts.put(
                job,
                new Attempt(
                        atMillis,
                        origin.version(),
                        count[0] + count[1] + count[2] + (counts.size() == 1 ? aborted : 0),
                        count[0],
                        count[1],
                        count[2])));
        return attempts;
    }
}
