package dev.cella.transactions.cell.commands;

import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.SessionId;
import java.util.List;

/** Sessions open, renew and close. Opening fences the older one of the same scheduler and instance. */
public final class SessionCommands {
    private final Tables tables;
    private final Answers answers;

    public SessionCommands(Tables tables) {
        this.tables = tables;
        this.answers = new Answers(tables);
    }

    public CommandResult open(Command.OpenSession open) {
        if (open.offers().isPresent() && tables.featureLevel() < EntryCodec.OFFERS_LEVEL) {
            return answers.refused(
                    Reason.NOT_ALLOWED,
                    "offers need feature level " + EntryCodec.OFFERS_LEVEL + ", the cell is at "
                            + tables.featureLevel());
        }
        if (open.offers().isPresent()
                && open.offers().get().minimumOffer().size()
                        > tables.dimensions().size()) {
            return answers.refused(
                    Reason.BAD_COMMAND, "the minimum offer names a dimension that the cell does not know");
        }
        if (open.renews().isPresent()) {
            return renew(open, open.renews().get());
        }
        tables.sessionOpened(open.scheduler(), open.instance(), open.type(), open.leaseMillis());
        open.offers().ifPresent(offers -> tables.sessionOffers(tables.version(), offers, false));
        return answers.created(0);
    }

    private CommandResult renew(Command.OpenSession open, SessionId id) {
        SessionRow session = tables.sessions.find(id.version());
        if (session == null
                || !session.scheduler().equals(open.scheduler())
                || !session.instance().equals(open.instance())) {
            return refuseRenewal(open, id);
        }
        boolean same = session.type().equals(open.type()) && session.leaseMillis() == open.leaseMillis();
        boolean sameOffers = open.offers().isEmpty() || open.offers().equals(session.offers());
        if (same && sameOffers) {
            return answers.unchanged(id.version());
        }
        if (!same) {
            tables.sessionRenewed(id.version(), open.type(), open.leaseMillis());
        }
        if (!sameOffers) {
            tables.sessionOffers(id.version(), open.offers().orElseThrow(), session.suppressed());
        }
        return answers.changed(id.version());
    }

    /**
     * The session is over and may be opened again, or another one took it over. In the second case, opening again would fence
     * the other in turn.
     */
    private CommandResult refuseRenewal(Command.OpenSession open, SessionId id) {
        return tables.sessions
                .find(open.scheduler(), open.instance())
                .map(other ->
                        answers.refused(Reason.FENCED, "session " + id + " was taken over by session " + other.id()))
                .orElseGet(() -> answers.refused(Reason.UNKNOWN_SESSION, "session " + id + " is over"));
    }

    public CommandResult close(SessionId id) {
        if (tables.sessions.find(id.version()) == null) {
            return answers.refused(Reason.UNKNOWN_SESSION, "there is no open session " + id);
        }
        tables.sessionClosed(id.version());
        return answers.changed(id.version());
    }

    // ---- offers

    public CommandResult endOffer(Command.EndOffer end) {
        HoldRow offer = tables.holds.find(end.offer());
        if (offer == null) {
            return answers.refused(Reason.UNKNOWN_OFFER, "there is no offer " + end.offer() + " any more");
        }
        tables.offerEnded(end.offer());
        if (end.refuseMillis() > 0) {
            tables.offerRefused(
                    offer.session(), offer.slot(), Math.addExact(tables.cellTimeMillis(), end.refuseMillis()));
        }
        return answers.changed(0);
    }

    /** Wanting offers again also forgets the refused machines. */
    public CommandResult wantOffers(Command.WantOffers want) {
        boolean changed = false;
        for (SessionRow session : List.copyOf(tables.sessions.all())) {
            if (session.scheduler().equals(want.scheduler()) && session.offers().isPresent()) {
                changed |= wantOffers(session, want.wanted());
            }
        }
        return changed ? answers.changed(0) : answers.unchanged(0);
    }

    private boolean wantOffers(SessionRow session, boolean wanted) {
        long id = session.id().version();
        boolean forgets = wanted && !tables.sessions.refusals(id).isEmpty();
        if (forgets) {
            tables.offersRevived(id);
        }
        if (session.suppressed() != wanted) {
            return forgets;
        }
        tables.sessionOffers(id, session.offers().orElseThrow(), !wanted);
        return true;
    }
}
