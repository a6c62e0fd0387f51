package dev.cella.transactions.cell.rule;

import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Reason;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The ways in which an item is refused. A refusal with a winner is a conflict. */
final class Refusals {
    static ItemResult of(ItemKind kind, Reason reason, @Nullable Origin winner) {
        return new ItemResult(
                kind,
                false,
                winner != null,
                OptionalInt.empty(),
                Optional.of(reason),
                OptionalInt.empty(),
                0,
                0,
                OptionalInt.empty(),
                Optional.ofNullable(winner));
    }

    /** The request is more than the free amount of a dimension. */
    static ItemResult of(ItemKind kind, Reason reason, int dimension, long asked, long free, @Nullable Origin winner) {
        return new ItemResult(
                kind,
                false,
                winner != null,
                OptionalInt.empty(),
                Optional.of(reason),
                OptionalInt.of(dimension),
                asked,
                free,
                OptionalInt.empty(),
                Optional.ofNullable(winner));
    }

    /** The item would have passed, but another refused item aborted the transaction. */
    static ItemResult aborted(ItemKind kind, int felledBy) {
        return new ItemResult(
                kind,
                false,
                false,
                OptionalInt.empty(),
                Optional.of(Reason.ABORTED),
                OptionalInt.empty(),
                0,
                0,
                OptionalInt.of(felledBy),
                Optional.empty());
    }

    private Refusals() {}
}
