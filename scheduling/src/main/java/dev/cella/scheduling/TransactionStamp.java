package dev.cella.scheduling;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;

/**
 * What every transaction of a plan has in common and no planner chooses: whose it is, the session that fences it, the
 * version it was planned on, and an id that nobody else can choose, because sessions are unique for ever and so is the
 * turn within one.
 *
 * @param seesOwn whether the plan sees every claim that its session has in flight
 */
public record TransactionStamp(String scheduler, SessionId session, long turn, int claimsMax, boolean seesOwn) {
    public TransactionStamp {
        if (claimsMax < 1 || claimsMax > Transaction.CLAIMS_MAX) {
            throw new IllegalArgumentException(
                    "a transaction has 1 to " + Transaction.CLAIMS_MAX + " items, not " + claimsMax);
        }
    }

    /** Of a plan that sees everything that its session has in flight. */
    public TransactionStamp(String scheduler, SessionId session, long turn, int claimsMax) {
        this(scheduler, session, turn, claimsMax, true);
    }

    /** The {@code place}th transaction of this turn's plan, planned on the view as it is. */
    public Transaction.Builder begin(CellView view, int place) {
        TransactionId id = new TransactionId(session + "-" + turn + (place == 0 ? "" : "." + place));
        return Transaction.builder(id, scheduler)
                .session(session)
                .incarnation(view.incarnation())
                .basis(view.version())
                .seesOwn(seesOwn);
    }
}
