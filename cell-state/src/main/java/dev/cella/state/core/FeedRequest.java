package dev.cella.state.core;

import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;
import java.util.Optional;

/**
 * Where a reader wants to begin: after the last version it has applied, in the history it has it from; or, without a
 * version, with a snapshot.
 */
public record FeedRequest(Incarnation incarnation, Optional<CellVersion> from) {
    /** For one who has nothing yet. */
    public static FeedRequest fromSnapshot() {
        return new FeedRequest(Incarnation.UNSAID, Optional.empty());
    }

    public static FeedRequest after(Incarnation incarnation, CellVersion version) {
        return new FeedRequest(incarnation, Optional.of(version));
    }
}
