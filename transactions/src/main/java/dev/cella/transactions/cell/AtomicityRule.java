package dev.cella.transactions.cell;

import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Transaction;

/** Fells what would have passed, where all or a minimum was asked and not reached (SEMANTICS section 5, "Atomicity"). */
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
