package dev.cella.state.web.feed;

import dev.cella.transactions.model.Incarnation;
import java.util.List;

/** One piece of the feed by rows, as one reader is to see it. */
sealed interface RowFrame {
    /** A piece of a consistent copy. */
    record Snapshot(Incarnation incarnation, long version, List<ChangedRow> rows, boolean last) implements RowFrame {}

    /**
     * What several versions changed, of that which the reader's filter shows.
     *
     * @param last up to that version everything was said
     */
    record Changes(Incarnation incarnation, long last, List<VersionChange> events) implements RowFrame {}

    /** Up to that version everything was said. */
    record Heartbeat(long version) implements RowFrame {}

    /** What is not in rows: figures, as a line of JSON. */
    record Figures(String json) implements RowFrame {}

    /** The reader must forget what it has: a snapshot follows. */
    record Resync(String reason) implements RowFrame {}
}
