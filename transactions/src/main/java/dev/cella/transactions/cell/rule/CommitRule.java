package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.ReadAhead;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Transaction;

/**
 * Decides a transaction: what fits and what is a conflict (SEMANTICS section 5, "A transaction", from 2 on and in its order;
 * dissertation 6.2.2). Each heading of the section has its own class; this one keeps their order.
 *
 * <p>It reads the tables and writes nothing: a {@link Decision} keeps what the transaction would have taken so far. So an
 * all-or-nothing transaction that fails has nothing to undo and leaves no trace that could make others conflict, and a
 * planner's preview is the same decision as the commit's. The caller then applies what was accepted. Owned by the thread that
 * reads the tables; one instance serves many transactions, one after another.
 */
public final class CommitRule {
    private final Decision decision;
    private final ReadAhead readAhead;
    private final WholeRule whole;
    private final StepRule steps;
    private final EvictionRule evictions;
    private final ClaimRule claims;
    private final HoldRule holds;
    private final AtomicityRule atomicity;

    public CommitRule(Tables tables) {
        decision = new Decision(tables);
        readAhead = new ReadAhead(tables);
        Winners winners = new Winners(tables, decision);
        QuotaRule quota = new QuotaRule(tables, decision, winners);
        whole = new WholeRule(tables);
        steps = new StepRule(tables, decision, quota, winners);
        evictions = new EvictionRule(tables, decision, winners);
        claims = new ClaimRule(tables, decision, evictions, quota, winners);
        holds = new HoldRule(tables, decision, quota, winners);
        atomicity = new AtomicityRule(decision);
    }

    /**
     * Decides the transaction on what the tables have shown since version {@code shown}. The outcome carries {@code version}.
     * Apply the accepted items exactly as they stand.
     */
    public Outcome decide(Transaction transaction, CellVersion shown, CellVersion version) {
        Reason refused = whole.refuse(transaction, shown);
        if (refused != null) {
            return Outcome.refused(transaction.id(), version, refused);
        }
        readAhead.claims(transaction);
        decision.begin(transaction, shown, version);
        steps.decide();
        evictions.decideAlone();
        claims.decide();
        evictions.decideLeft();
        holds.decide();
        if (decision.isBeyondOffers()) {
            return Outcome.refused(transaction.id(), version, Reason.NOT_OFFERED);
        }
        steps.decideScales();
        atomicity.holdTogether();
        return decision.outcome();
    }

    /** How many claims of the last transaction were accepted. */
    public int accepted() {
        return decision.acceptedClaims();
    }

    /** The claim that was accepted as the {@code place}th. Apply claims in this order. */
    public int acceptedClaim(int place) {
        return decision.acceptedClaim(place);
    }
}
