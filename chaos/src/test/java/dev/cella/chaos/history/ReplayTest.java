package dev.cella.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Principal;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private final History history = new History(CellLimits.STANDARD);

    /** A leader stamped it, lost the lead, and won it back after another leader's later entry. */
    @Test
    void of_entryOfAnEarlierTime_isAppliedAtTheCellsTime() {
        entry(1_000, new Command.FoundCell(new CellName("cell"), new Incarnation(1)));
        entry(400, new Command.RemovePool("nothing"));
        Replay replay = Replay.of(history);
        assertThat(replay.problems()).isEmpty();
        assertThat(replay.steps()).extracting(Replay.Step::cellTimeMillis).containsExactly(1_000L, 1_000L);
        assertThat(replay.end().time()).isEqualTo(new CellTime(1_000));
    }

    private void entry(long cellMillis, Command command) {
        EntryHeader header = new EntryHeader(1, new CellTime(cellMillis), 0, new Incarnation(1));
        history.log.add(new History.LogEntry(
                2_000_000_000L,
                EntryCodec.encode(header, List.of(CommandCodec.encode(new Principal("test"), command)))));
    }
}
