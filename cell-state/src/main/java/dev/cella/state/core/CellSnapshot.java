package dev.cella.state.core;

import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A consistent copy of the cell's hot tables between two entries, in chunks as {@code SnapshotCodec} writes them.
 *
 * @param chunks unmodifiable; a chunk may be made when it is read, so that an unread copy costs little
 */
public record CellSnapshot(Incarnation incarnation, CellVersion version, List<byte[]> chunks) {
    public CellSnapshot {
        if (chunks.isEmpty()) {
            throw new IllegalArgumentException("a snapshot has at least one chunk");
        }
    }

    List<FeedFrame> frames() {
        List<FeedFrame> frames = new ArrayList<>(chunks.size());
        for (int place = 0; place < chunks.size(); place++) {
            frames.add(new FeedFrame.Snapshot(
                    incarnation, version, ByteBuffer.wrap(chunks.get(place)), place == chunks.size() - 1));
        }
        return frames;
    }
}
