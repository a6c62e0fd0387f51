package dev.cella.transactions.model;

import java.util.List;
import java.util.Optional;

/**
 * What was decided about a transaction: one result for each claim, eviction, hold and step, in this order; or no result
 * at all and a {@code reason}, when the transaction was refused whole. {@code syncVersion} is the version that the
 * planner's replica should show before it plans again.
 */
public record Outcome(
        TransactionId id,
        CellVersion version,
        Verdict verdict,
        Optional<Reason> reason,
        CellVersion syncVersion,
        List<ItemResult> results) {
    public Outcome {
        results = List.copyOf(results);
    }

    /** Refused whole: nothing of it was looked at. */
    public static Outcome refused(TransactionId id, CellVersion version, Reason reason) {
        return new Outcome(id, version, Verdict.REJECTED, Optional.of(reason), version, List.of());
    }

    /** How many claims were accepted. */
    public int accepted() {
        int accepted = 0;
        for (ItemResult result : results) {
            accepted += result.kind() == ItemKind.CLAIM && result.accepted() ? 1 : 0;
        }
        return accepted;
    }

    /** Whether one of its items was refused because another transaction got there first. */
    public boolean isConflicted() {
        for (ItemResult result : results) {
            if (result.conflict()) {
                return true;
            }
        }
        return false;
    }

    /** Whether it counts as successful: no item is a conflict, and at least one claim was accepted. */
    public boolean isSuccessful() {
        return !isConflicted() && accepted() > 0;
    }
}
