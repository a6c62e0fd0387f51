package dev.cella.state.core;

import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;
import java.util.Optional;

/**
 * Where a reader wants to begin: after the last version it has applied, in the history it has it from; or, without a
 * version, with a snapshot.
 *
 * @param snapshotUpTo a snapshot as old as that, or older, will do: the reader wants to see how it went on from there. Where the
 *     feed does not reach so far back it is a new one
 */
public record FeedRequest(Incarnation incarnation, Optional<CellVersion> from, Optional<CellVersion> snapshotUpTo) {
    /** For one who has nothing yet. */
    public static FeedRequest fromSnapshot() {
        return new FeedRequest(Incarnation.UNSAID, Optional.empty(), Optional.empty());
    }

    public static FeedRequest after(Incarnation incarnation, CellVersion version) {
        return new FeedRequest(incarnation, Optional.of(version), Optional.empty());
    }

    public static FeedRequest fromSnapshotUpTo(CellVersion version) {
        return new FeedRequest(Incarnation.UNSAID, Optional.empty(), Optional.of(version));
    }
}
