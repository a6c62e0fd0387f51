package dev.cella.state.core;

import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;
import java.nio.ByteBuffer;

/** One part of the feed. Its bytes are read-only and shared by all readers. */
public sealed interface FeedFrame {
    /** A chunk of a consistent copy of the cell at one version, as {@code SnapshotCodec} writes it. */
    record Snapshot(Incarnation incarnation, CellVersion version, ByteBuffer data, boolean last) implements FeedFrame {
        public Snapshot {
            data = data.asReadOnlyBuffer();
        }

        @Override
        public ByteBuffer data() {
            return data.duplicate();
        }
    }

    /**
     * The changes of whole log entries in order of version, as {@code ChangeCodec} writes them, and the digests of the tables
     * after the last one.
     */
    record Changes(CellVersion last, CellDigests digests, ByteBuffer data) implements FeedFrame {
        public Changes {
            data = data.asReadOnlyBuffer();
        }

        @Override
        public ByteBuffer data() {
            return data.duplicate();
        }
    }

    /** Nothing has changed for a while. The reader has everything up to this version. */
    record Heartbeat(CellVersion version) implements FeedFrame {}

    /** The reader must drop its state: a snapshot follows. */
    record Resync(String reason) implements FeedFrame {}
}
