package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Transaction;
import org.jspecify.annotations.Nullable;

/** Refuses a transaction as a whole, before any of its items is decided (SEMANTICS section 5, "Whole"). */
final class WholeRule {
    private final Tables tables;

    WholeRule(Tables tables) {
        this.tables = tables;
    }

    @Nullable
    Reason refuse(Transaction transaction, CellVersion shown) {
        if (!transaction.incarnation().accepts(tables.incarnation())) {
            return Reason.OTHER_INCARNATION;
        }
        if (isFenced(transaction)) {
            return Reason.FENCED;
        }
        if (remembersOthersJobs(transaction)) {
            return Reason.NOT_ALLOWED;
        }
        Reason offers = refuseOffers(transaction);
        if (offers != null) {
            return offers;
        }
        boolean ahead =
                transaction.basis().isAfter(shown) || transaction.machinesAsOf().isAfter(shown);
        return ahead ? Reason.BASIS_AHEAD : null;
    }

    /** The owner of an offer accepts it, and its maker rescinds it. An offer that has ended cannot be accepted. */
    private @Nullable Reason refuseOffers(Transaction transaction) {
        for (OfferId id : transaction.offers()) {
            HoldRow offer = tables.holds.find(id);
            boolean own = offer != null
                    && offer.scheduler().equals(transaction.scheduler())
                    && (transaction.sessionVersion() == 0 || transaction.sessionVersion() == offer.session());
            if (!own) {
                return Reason.NOT_OFFERED;
            }
        }
        for (OfferId id : transaction.rescinds()) {
            HoldRow offer = tables.holds.find(id);
            if (offer != null && !offer.origin().scheduler().equals(transaction.scheduler())) {
                return Reason.NOT_ALLOWED;
            }
        }
        return null;
    }

    /** Progress goes back to the job's own scheduler only, so no other scheduler may write it. */
    private boolean remembersOthersJobs(Transaction transaction) {
        for (JobId id : transaction.progress().keySet()) {
            JobRow job = tables.jobs.find(id.version());
            if (job != null && !job.header().scheduler().equals(transaction.scheduler())) {
                return true;
            }
        }
        return false;
    }

    /** Another instance has taken over the session, or an operator has closed it. */
    private boolean isFenced(Transaction transaction) {
        if (transaction.session().isEmpty()) {
            return false;
        }
        SessionRow session = tables.sessions.find(transaction.session().get().version());
        return session == null || !session.scheduler().equals(transaction.scheduler());
    }
}
