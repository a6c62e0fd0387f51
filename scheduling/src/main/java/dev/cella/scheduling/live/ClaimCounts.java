package dev.cella.scheduling.live;

import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Outcome;

/** How a cell has decided the claims of one scheduler's instance. Owned by the scheduler's thread. */
final class ClaimCounts {
    private long accepted;
    private long conflicted;

    void count(Outcome outcome) {
        for (int item = 0; item < outcome.items(); item++) {
            accepted += outcome.isPlaced(item) ? 1 : 0;
            conflicted += isConflictedClaim(outcome, item) ? 1 : 0;
        }
    }

    private static boolean isConflictedClaim(Outcome outcome, int item) {
        if (outcome.isAccepted(item)) {
            return false;
        }
        ItemResult result = outcome.result(item);
        return result.kind() == ItemKind.CLAIM && result.conflict();
    }

    long accepted() {
        return accepted;
    }

    /** Those that were planned on a view that was no longer true. */
    long conflicted() {
        return conflicted;
    }
}
