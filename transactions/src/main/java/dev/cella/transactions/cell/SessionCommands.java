package dev.cella.transactions.cell;

import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.SessionId;

/** Sessions open, renew and close. Opening fences the older one of the same scheduler and instance. */
final class SessionCommands {
    private final Tables tables;
    private final Answers answers;

    SessionCommands(Tables tables) {
        this.tables = tables;
        this.answers = new Answers(tables);
    }

    CommandResult open(Command.OpenSession open) {
        if (open.renews().isPresent()) {
            return renew(open, open.renews().get());
        }
        tables.sessionOpened(open.scheduler(), open.instance(), open.type(), open.leaseMillis());
        return answers.created(0);
    }

    private CommandResult renew(Command.OpenSession open, SessionId id) {
        SessionRow session = tables.sessions.find(id.version());
        if (session == null
                || !session.scheduler().equals(open.scheduler())
                || !session.instance().equals(open.instance())) {
            return refuseRenewal(open, id);
        }
        if (session.type().equals(open.type()) && session.leaseMillis() == open.leaseMillis()) {
            return answers.unchanged(id.version());
        }
        tables.sessionRenewed(id.version(), open.type(), open.leaseMillis());
        return answers.changed(id.version());
    }

    /** Over, and free to be opened anew; or taken over, and then opening again would fence the other in turn. */
    private CommandResult refuseRenewal(Command.OpenSession open, SessionId id) {
        return tables.sessions
                .find(open.scheduler(), open.instance())
                .map(other ->
                        answers.refused(Reason.FENCED, "session " + id + " was taken over by session " + other.id()))
                .orElseGet(() -> answers.refused(Reason.UNKNOWN_SESSION, "session " + id + " is over"));
    }

    CommandResult close(SessionId id) {
        if (tables.sessions.find(id.version()) == null) {
            return answers.refused(Reason.UNKNOWN_SESSION, "there is no open session " + id);
        }
        tables.sessionClosed(id.version());
        return answers.changed(id.version());
    }
}
