package dev.cella.state.core;

import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;
import java.util.Optional;

/**
 * Where a reader wants to begin: after the last version it has applied, in its history, or with a snapshot if it has no
 * version.
 *
 * @param snapshotUpTo the reader accepts a snapshot at this version or older, because it wants to see the changes after it. If
 *     the feed does not reach back so far, the snapshot is a new one
 */
public record FeedRequest(Incarnation incarnation, Optional<CellVersion> from, Optional<CellVersion> snapshotUpTo) {
    /** For a reader that has nothing yet. */
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
