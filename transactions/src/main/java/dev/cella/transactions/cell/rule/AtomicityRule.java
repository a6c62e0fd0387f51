package dev.cella.transactions.cell.rule;

import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Transaction;

/**
 * Aborts what would have passed when the transaction asked for all or for a minimum and did not reach it (SEMANTICS section 5,
 * "Atomicity").
 */
final class AtomicityRule {
    private static final int NONE = -1;

    private final Decision decision;

    AtomicityRule(Decision decision) {
        this.decision = decision;
    }

    void holdTogether() {
        Transaction transaction = decision.transaction();
        int felledBy = decision.firstFelling(decision.items());
        if (felledBy == NONE) {
            return;
        }
        if (transaction.atomicity() == Atomicity.ALL_OR_NOTHING) {
            decision.abort(felledBy);
        } else if (decision.acceptedClaims() < transaction.minClaims()) {
            decision.abort(decision.firstFelling(transaction.claims()));
        }
    }
}
