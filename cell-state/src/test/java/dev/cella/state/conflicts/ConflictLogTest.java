package dev.cella.state.conflicts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConflictLogTest {
    private static final Incarnation INCARNATION = new Incarnation(1);

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final ConflictLog log = new ConflictLog(this::read, 1 << 20);

    /** Logs have claims of clients that check nothing. */
    @ParameterizedTest
    @CsvSource({"0, 0, 0", "-3, 0, 0", "77, 5000, 1", "77, 0, 200000", "77, 0, -5"})
    void claimOnATaskThatCannotBe_isCounted(long job, int group, int index) {
        apply(new Command.FoundCell(new CellName("past"), INCARNATION));
        Transaction.Builder claims = Transaction.builder(new TransactionId("none"), "batch");
        apply(new Command.CommitTransaction(
                claims.claim(job, group, index, 1, 0).build()));
        log.catchUp();
        assertThat(log.decision(cell.view().version().number())).isPresent();
        assertThat(log.totalsByScheduler()).containsKey("batch");
    }

    private <T> T read(Function<? super CellView, ? extends T> question) {
        return question.apply(cell.view());
    }

    private void apply(Command command) {
        CommandResult result = cell.apply(new EntryHeader(1, new CellTime(1), 1, INCARNATION), command);
        log.entryApplied(cell.takeChanges(), List.of(result));
    }
}
