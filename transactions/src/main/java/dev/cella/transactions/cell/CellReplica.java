package dev.cella.transactions.cell;

import dev.cella.transactions.codec.ChangeReader;
import dev.cella.transactions.codec.IgnoredChanges;
import java.util.List;

/**
 * A private copy of the cell state. It starts from a snapshot, or empty at version 0, and follows the stream of changes.
 *
 * <p>Its tables are the common copy's and the same calls drive them, so both have the same digests at the same version. A
 * frame that does not follow the version that the replica shows is a broken invariant: take a snapshot, with a new replica.
 * Owned by one thread.
 */
public final class CellReplica {
    private final Tables tables = new Tables(new IgnoredChanges());
    private final CellView view = new CellView(tables);
    private final ChangeReader reader = new ChangeReader(tables);

    public CellView view() {
        return view;
    }

    /** Applies whole frames, one version after another. */
    public void applyChanges(byte[] frames) {
        reader.readFrames(frames);
    }

    /**
     * Applies whole frames. After each frame it tells the listener which rows changed, while the view shows exactly that
     * frame's version.
     */
    public void applyChanges(byte[] frames, TouchedRows listener) {
        for (byte[] frame : ChangeReader.split(frames)) {
            applyChanges(frame);
            ChangedRows.tell(frame, view, listener);
        }
    }

    /** Fills this replica, which must be empty, from the chunks of a snapshot. */
    public void load(List<byte[]> chunks) {
        new SnapshotReader(tables).read(chunks, null);
    }
}
