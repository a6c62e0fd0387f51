package dev.cella.state.web.feed;

import dev.cella.transactions.model.Incarnation;
import java.util.List;

/** One part of the feed by rows, as one reader sees it. */
sealed interface RowFrame {
    /** A chunk of a consistent copy. */
    record Snapshot(Incarnation incarnation, long version, List<ChangedRow> rows, boolean last) implements RowFrame {}

    /**
     * The changes of several versions, as far as the reader's filter shows them.
     *
     * @param last everything up to this version was sent
     */
    record Changes(Incarnation incarnation, long last, List<VersionChange> events) implements RowFrame {}

    /** Everything up to that version was sent. */
    record Heartbeat(Incarnation incarnation, long version) implements RowFrame {}

    /** Figures that are in no row, as a line of JSON. */
    record Figures(String json) implements RowFrame {}

    /** The reader must drop its state: a snapshot follows. */
    record Resync(String reason) implements RowFrame {}
}
