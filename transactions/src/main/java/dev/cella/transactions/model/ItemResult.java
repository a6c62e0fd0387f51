package dev.cella.transactions.model;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The result of one item of a transaction. Accepted: {@code machine} is the slot it got. Refused: {@code reason}. With
 * DOES_NOT_FIT and QUOTA: the first dimension that lacked, the amount asked for and the free amount. With ABORTED: {@code
 * felledBy}, the place of the item that aborted it. With a conflict: the winner.
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
            throw new IllegalArgumentException("an accepted item is no conflict");
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
