package dev.cella.transactions.model;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What became of one item of a transaction. Accepted: {@code machine} is the slot it got. Refused: {@code reason}; with
 * DOES_NOT_FIT and QUOTA the first dimension that lacked, what was asked and what was free; with ABORTED {@code
 * felledBy}, the place of the item that felled it; with a conflict, who won.
 */
public record ItemResult(
        ItemKind kind,
        boolean accepted,
        boolean conflict,
        OptionalInt machine,
        Optional<Reason> reason,
        OptionalInt dimension,
        long asked,
        long free,
        OptionalInt felledBy,
        Optional<Origin> winner) {
    public ItemResult {
        if (accepted == reason.isPresent()) {
            throw new IllegalArgumentException("an item is accepted, or refused for a reason");
        }
        if (conflict && accepted) {
            throw new IllegalArgumentException("what is accepted is no conflict");
        }
    }

    public static ItemResult accepted(ItemKind kind, OptionalInt machine) {
        return new ItemResult(
                kind,
                true,
                false,
                machine,
                Optional.empty(),
                OptionalInt.empty(),
                0,
                0,
                OptionalInt.empty(),
                Optional.empty());
    }

    public static ItemResult refused(ItemKind kind, Reason reason) {
        return new ItemResult(
                kind,
                false,
                false,
                OptionalInt.empty(),
                Optional.of(reason),
                OptionalInt.empty(),
                0,
                0,
                OptionalInt.empty(),
                Optional.empty());
    }
}
