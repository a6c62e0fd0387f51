package dev.cella.transactions.cell.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OutcomeTableTest {
    private static final int KEPT = 100_000;
    private static final long AGE_MILLIS = 1_000_000;

    private final OutcomeTable outcomes = new OutcomeTable(new CellLimits(KEPT, AGE_MILLIS, 1));

    @Test
    void find_afterManyRounds_knowsTheNewestAndNoOther() {
        for (int number = 1; number <= 3 * KEPT; number++) {
            outcomes.keep(transaction(number), number, number / 100);
        }
        assertThat(outcomes.size()).isEqualTo(KEPT);
        assertThat(outcomes.horizon()).isEqualTo(2 * KEPT);
        assertThat(outcomes.takeForgotten()).hasSize(2 * KEPT).contains(1, 2 * KEPT);
        for (int number = 1; number <= 3 * KEPT; number++) {
            int row = outcomes.find(transaction(number).id());
            assertThat(row == OutcomeTable.NONE).isEqualTo(number <= 2 * KEPT);
            if (row != OutcomeTable.NONE) {
                assertThat(outcomes.version(row)).isEqualTo(number);
            }
        }
    }

    @Test
    void keep_tooOldByCellTime_areDroppedThoughThereIsRoom() {
        outcomes.keep(transaction(1), 1, 0);
        outcomes.keep(transaction(2), 2, 0);
        outcomes.keep(transaction(3), 3, AGE_MILLIS);
        assertThat(outcomes.horizon()).isZero();
        outcomes.keep(transaction(4), 4, AGE_MILLIS + 1);
        assertThat(outcomes.horizon()).isEqualTo(2);
        assertThat(outcomes.size()).isEqualTo(2);
    }

    @Test
    void digest_isThatOfWhatIsKept() {
        OutcomeTable fewer = new OutcomeTable(new CellLimits(KEPT, AGE_MILLIS, 1));
        for (int number = 1; number <= KEPT + 10; number++) {
            outcomes.keep(transaction(number), number, number);
        }
        OutcomeTable copy = outcomes.copy();
        for (long page = copy.firstPage(); page < copy.endPage(); page++) {
            copy.forEach(page, fewer::load);
        }
        assertThat(fewer.digest.value()).isEqualTo(outcomes.digest.value());
        fewer.keep(transaction(KEPT + 11), KEPT + 11, KEPT + 11);
        assertThat(fewer.digest.value()).isNotEqualTo(outcomes.digest.value());
    }

    /** Each page has 1,024 outcomes. The next copy leaves out a page that neither lost nor gained any. */
    @Test
    void pages_betweenTheFirstAndTheLast_areTheSameInTheNextCopy() {
        OutcomeTable table = new OutcomeTable(new CellLimits(5_000, AGE_MILLIS, 1));
        for (int number = 1; number <= 5 * 1_024; number++) {
            table.keep(transaction(number), number, 0);
        }
        OutcomeTable before = table.copy();
        for (int number = 5 * 1_024 + 1; number <= 5_000 + 1_024; number++) {
            table.keep(transaction(number), number, 0);
        }
        OutcomeTable after = table.copy();
        assertThat(LongStream.range(before.firstPage(), before.endPage())).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(LongStream.range(after.firstPage(), after.endPage())).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(LongStream.rangeClosed(0, 5).filter(page -> after.isSame(page, before)))
                .containsExactly(1L, 2L, 3L, 4L);
        assertThat(LongStream.rangeClosed(0, 5).filter(page -> before.isSame(page, after)))
                .containsExactly(1L, 2L, 3L, 4L);
        assertThat(LongStream.rangeClosed(1, 5)).allMatch(page -> after.isSame(page, table.copy()));
    }

    /** 24 bytes per row, 5 to 11 in the index over it, and the times, which entries share. */
    @Test
    void bytes_ofAFullTable_areLessThanFortyAnOutcome() {
        for (int number = 1; number <= KEPT; number++) {
            outcomes.keep(transaction(number), number, number / 100);
        }
        assertThat(outcomes.bytes() / KEPT).isBetween(24L, 40L);
    }

    private static Transaction transaction(int number) {
        return Transaction.builder(new TransactionId("t-" + number), "batch")
                .claim(new TaskId(new JobId(1), 0, 0), 1, number)
                .build();
    }
}
