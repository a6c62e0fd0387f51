package dev.cella.transactions.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.model.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class OutcomeCodecTest {
    private static final Origin WINNER = new Origin(new TransactionId("first"), "web", 12, 6);

    /** All fields that a refusal can have, with different numbers. */
    private static final ItemResult LOST = new ItemResult(
            ItemKind.CLAIM,
            false,
            true,
            OptionalInt.empty(),
            Optional.of(Reason.DOES_NOT_FIT),
            OptionalInt.of(1),
            2_000,
            700,
            OptionalInt.empty(),
            Optional.of(WINNER));

    private static final ItemResult ABORTED = new ItemResult(
            ItemKind.EVICTION,
            false,
            false,
            OptionalInt.empty(),
            Optional.of(Reason.ABORTED),
            OptionalInt.empty(),
            0,
            0,
            OptionalInt.of(1),
            Optional.empty());

    private static final Outcome PARTIAL = new Outcome(
            new TransactionId("t"),
            new CellVersion(7),
            Verdict.PARTIAL,
            Optional.empty(),
            new CellVersion(8),
            List.of(
                    ItemResult.accepted(ItemKind.CLAIM, OptionalInt.of(0)),
                    LOST,
                    ABORTED,
                    ItemResult.accepted(ItemKind.STEP, OptionalInt.empty())));

    private static final Outcome FENCED = Outcome.refused(new TransactionId("u"), new CellVersion(9), Reason.FENCED);

    @Test
    void outcome_writtenAndRead_isTheSame() {
        assertThat(OutcomeCodec.decode(OutcomeCodec.encode(PARTIAL))).isEqualTo(PARTIAL);
        assertThat(OutcomeCodec.decode(OutcomeCodec.encode(FENCED))).isEqualTo(FENCED);
    }

    @Test
    void outcome_cutAnywhere_orWithAByteTooMany_isRefused() {
        byte[] bytes = OutcomeCodec.encode(PARTIAL);
        for (int length = 0; length <= bytes.length + 1; length++) {
            byte[] other = Arrays.copyOf(bytes, length);
            if (length != bytes.length) {
                assertThatThrownBy(() -> OutcomeCodec.decode(other))
                        .as("of length " + length)
                        .isInstanceOf(DamagedBytesException.class);
            }
        }
    }
}
