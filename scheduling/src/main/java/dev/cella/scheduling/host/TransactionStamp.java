package dev.cella.scheduling.host;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;

/**
 * The parts that every transaction of a plan shares and no planner chooses: the scheduler, the session that fences it, the
 * version it was planned on, and a unique id. Sessions are unique forever, and so is the turn within one, also if one loop
 * follows another there.
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

    /** A plan that sees everything that its session has in flight. */
    public TransactionStamp(String scheduler, SessionId session, long turn, int claimsMax) {
        this(scheduler, session, turn, claimsMax, true);
    }

    /** Begins the {@code place}th transaction of this turn's plan, on the view's present version. */
    public Transaction.Builder begin(CellView view, int place) {
        TransactionId id = new TransactionId(session + "-" + turn + (place == 0 ? "" : "." + place));
        return Transaction.builder(id, scheduler)
                .session(session)
                .incarnation(view.incarnation())
                .basis(view.version())
                .seesOwn(seesOwn);
    }
}
