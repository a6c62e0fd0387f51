package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.CellReplica;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A private copy of the cell that follows one replica's feed, as a scheduler's does, at the pace that the test sets.
 */
final class FollowedFeed {
    private SimulatedReplica source;
    private FeedReader reader;
    private CellReplica copy = new CellReplica();
    private final List<byte[]> snapshot = new ArrayList<>();
    private @Nullable CompletableFuture<FeedFrame> asked;
    private int resyncs;

    FollowedFeed(SimulatedReplica source) {
        this.source = source;
        this.reader = source.replica().subscribe(FeedRequest.fromSnapshot());
    }

    /** Continues at the same place with a restarted replica. */
    void reconnect(SimulatedReplica to) {
        reader.close();
        source = to;
        asked = null;
        snapshot.clear();
        reader = to.replica()
                .subscribe(
                        FeedRequest.after(copy.view().incarnation(), copy.view().version()));
    }

    /** One frame more, if there is one. */
    void read() {
        if (asked == null) {
            asked = reader.next();
        }
        source.runThreads();
        if (asked.isDone()) {
            FeedFrame frame = asked.join();
            asked = null;
            take(frame);
        }
    }

    void readToTheEnd() {
        do {
            read();
        } while (asked == null);
    }

    private void take(FeedFrame frame) {
        if (frame instanceof FeedFrame.Snapshot chunk) {
            takeChunk(chunk);
        } else if (frame instanceof FeedFrame.Changes changes) {
            copy.applyChanges(bytes(changes.data()));
            assertThat(copy.view().version()).isEqualTo(changes.last());
        } else if (frame instanceof FeedFrame.Heartbeat heartbeat) {
            assertThat(copy.view().version()).isEqualTo(heartbeat.version());
        } else {
            resyncs++;
        }
    }

    private void takeChunk(FeedFrame.Snapshot chunk) {
        snapshot.add(bytes(chunk.data()));
        if (chunk.last()) {
            copy = new CellReplica();
            copy.load(snapshot);
            snapshot.clear();
            assertThat(copy.view().version()).isEqualTo(chunk.version());
        }
    }

    private static byte[] bytes(ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        return bytes;
    }

    int resyncs() {
        return resyncs;
    }

    long digest() {
        return copy.view().digest();
    }
}
