package dev.cella.scheduling.live;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TransactionId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Tells whether a loop may begin in a cell: it has a session, and the view shows all results of what was submitted before.
 *
 * <p>A loop knows the transactions that it has in flight. A loop that replaces it does not. Under a new session, the version
 * that opened it is enough, because no transaction of the old session is committed after that. Under a session that goes on,
 * because only another cell's has ended, all answers must be here and shown.
 *
 * <p>A version means something only within one history of the cell. If the view becomes one of another history, its versions
 * may be lower than those before, and the versions of answers from before are not awaited any longer. A session may be of the
 * new history before the view is.
 *
 * <p>Owned by {@link LiveSeat}.
 */
final class Settling {
    private final Set<TransactionId> unanswered = new HashSet<>();
    private CellVersion awaited = CellVersion.NONE;
    private Optional<SessionId> session = Optional.empty();
    private Incarnation history = Incarnation.UNSAID;
    private CellVersion shown = CellVersion.NONE;

    /** Another session is open. What the former one submitted is decided. */
    void opened(SessionId opened) {
        session = Optional.of(opened);
        unanswered.clear();
        awaited = CellVersion.NONE;
    }

    /** The cell has refused the session. */
    void sessionEnded() {
        session = Optional.empty();
    }

    void submitted(TransactionId transaction) {
        unanswered.add(transaction);
    }

    void answered(Outcome outcome) {
        if (unanswered.remove(outcome.id()) && outcome.syncVersion().isAfter(awaited)) {
            awaited = outcome.syncVersion();
        }
    }

    /** The view is another one, or shows a later version. */
    void shows(CellView view) {
        if (!history.equals(view.incarnation())) {
            history = view.incarnation();
            awaited = CellVersion.NONE;
        }
        shown = view.version();
    }

    boolean isSettled() {
        return session.filter(opened -> opened.version() <= shown.number()).isPresent()
                && unanswered.isEmpty()
                && awaited.compareTo(shown) <= 0;
    }
}
