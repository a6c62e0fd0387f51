package dev.cella.scheduling.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TransactionId;
import org.junit.jupiter.api.Test;

/** When a loop may begin in a cell. */
class SettlingTest {
    private static final TransactionId SENT = new TransactionId("sent");

    private final Settling settling = new Settling();

    @Test
    void session_isShownFromItsVersionOn() {
        settling.shows(view(1, 4));
        settling.opened(new SessionId(5));
        assertThat(settling.isSettled()).isFalse();
        settling.shows(view(1, 5));
        assertThat(settling.isSettled()).isTrue();
        settling.sessionEnded();
        assertThat(settling.isSettled()).isFalse();
    }

    @Test
    void answers_areAwaitedAndShown() {
        settling.shows(view(1, 5));
        settling.opened(new SessionId(5));
        settling.submitted(SENT);
        assertThat(settling.isSettled()).isFalse();
        settling.answered(answer(7));
        assertThat(settling.isSettled()).isFalse();
        settling.shows(view(1, 7));
        assertThat(settling.isSettled()).isTrue();
    }

    @Test
    void transactionsOfAFormerSession_areDecidedWithTheNextOne() {
        settling.opened(new SessionId(5));
        settling.submitted(SENT);
        settling.opened(new SessionId(6));
        settling.shows(view(1, 6));
        assertThat(settling.isSettled()).isTrue();
    }

    /** The session's keeper may reach the cell before the replica does, which then takes a snapshot of another history. */
    @Test
    void sessionOfAnotherHistory_isShownWhenTheViewIsOfIt() {
        settling.shows(view(1, 4));
        settling.opened(new SessionId(6));
        settling.shows(view(2, 6));
        assertThat(settling.isSettled()).isTrue();
    }

    @Test
    void answerOfAnotherHistory_isNotAwaited() {
        settling.shows(view(1, 5));
        settling.opened(new SessionId(3));
        settling.submitted(SENT);
        settling.answered(answer(9));
        settling.shows(view(2, 4));
        assertThat(settling.isSettled()).isTrue();
    }

    private static Outcome answer(long version) {
        return Outcome.refused(SENT, new CellVersion(version), Reason.NOT_ALLOWED);
    }

    /** A cell of that history at that version. */
    private static CellView view(long incarnation, int version) {
        Cell cell = new Cell(CellLimits.STANDARD);
        Incarnation history = new Incarnation(incarnation);
        EntryHeader header = new EntryHeader(1, new CellTime(1), 1, history);
        cell.apply(header, new Command.FoundCell(new CellName("test"), history));
        while (cell.view().version().number() < version) {
            cell.apply(
                    header,
                    new Command.PauseScheduler("any", cell.view().version().number() % 2 == 0));
        }
        return cell.view();
    }
}
