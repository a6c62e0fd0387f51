package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnfollowedCellTest {
    private static final CellLimits LIMITS = new CellLimits(40, 400, 3, 60);
    private static final int COMMANDS = 400;

    /** A cell without followers omits changes and digests, and nothing else. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void decidesAndShowsTheSame_withoutChangesAndDigests(long seed) {
        Cell followed = new Cell(LIMITS);
        Cell unfollowed = Cell.unfollowed(LIMITS);
        History history = new History(seed, followed);
        for (int at = 1; at <= COMMANDS; at++) {
            EntryHeader header = new EntryHeader(1, new CellTime(at), at, Incarnation.UNSAID);
            Command command = history.next();
            assertThat(unfollowed.apply(header, command)).isEqualTo(followed.apply(header, command));
        }
        assertThat(CellRows.of(unfollowed)).isEqualTo(CellRows.of(followed));
        assertThat(unfollowed.takeChanges()).isEmpty();
        assertThatThrownBy(() -> unfollowed.view().digests()).isInstanceOf(IllegalStateException.class);
    }
}
