package dev.cella.chaos.simulated;

import dev.cella.chaos.history.History;
import dev.cella.state.core.FeedFrame;
import dev.cella.state.core.FeedReader;
import dev.cella.state.core.FeedRequest;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's private replica: it follows the feed of one replica of the store, and changes to the next one after silence. It
 * refuses a frame that does not fit; then a snapshot is taken. As in the product, a version that was shown is never taken back:
 * it leaves a replica whose snapshot is older.
 */
final class FollowedFeed {
    /** Two heartbeats and a half. */
    private static final long SILENCE_NANOS = 12_500 * DueEvents.MILLI;

    private static final long RECONNECT_NANOS = 100 * DueEvents.MILLI;

    /**
     * How long a client works on a frame before it asks for the next one. Meanwhile entries come together in that frame, as in
     * a busy cell; each costs every client less that way.
     */
    private static final long WORK_NANOS = 10 * DueEvents.MILLI;

    /** The one whose private replica it is. */
    interface Owner {
        TouchedRows touchedRows();

        void advanced(CellView view);

        void replaced(CellView view);
    }

    private final SimulatedCell cell;
    private final SimulatedProcess client;
    private final Owner owner;
    private final List<byte[]> snapshot = new ArrayList<>();
    private final Deque<FeedFrame> frozenFrames = new ArrayDeque<>();
    private CellReplica copy = new CellReplica();
    private @Nullable FeedReader reader;
    private int connection;
    private int next;
    private long heardAt;
    private boolean frozen;
    private int skips;
    private int repeats;
    private long disturbed;
    private long refusedFrames;
    private boolean fromSnapshot = true;
    private boolean closed;

    FollowedFeed(SimulatedCell cell, SimulatedProcess client, int first, Owner owner) {
        this.cell = cell;
        this.client = client;
        this.next = first;
        this.owner = owner;
    }

    CellView view() {
        return copy.view();
    }

    void open() {
        connect();
        watch();
    }

    void close() {
        closed = true;
        connection++;
    }

    // ---- faults

    /** From now on arriving frames are kept and not applied. */
    void freeze() {
        frozen = true;
    }

    void thaw() {
        frozen = false;
        Deque<FeedFrame> kept = new ArrayDeque<>(frozenFrames);
        frozenFrames.clear();
        if (!closed) {
            kept.forEach(this::take);
        }
    }

    /** The next frames of changes are dropped. */
    void skip(int frames) {
        skips += frames;
    }

    /** The next frames of changes come twice. */
    void repeat(int frames) {
        repeats += frames;
    }

    /** How often a fault met a frame. */
    long disturbed() {
        return disturbed;
    }

    /** How often the private replica refused a frame and started again. */
    long refusedFrames() {
        return refusedFrames;
    }

    // ---- the connection

    private void connect() {
        connection++;
        int of = connection;
        snapshot.clear();
        frozenFrames.clear();
        heardAt = client.nowNanos();
        SimulatedReplica to = cell.replicas().get(next++ % cell.replicas().size());
        FeedRequest request = fromSnapshot
                ? FeedRequest.fromSnapshot()
                : FeedRequest.after(copy.view().incarnation(), copy.view().version());
        if (!to.process().isAlive()) {
            client.after(RECONNECT_NANOS, () -> connectAgain(of));
            return;
        }
        to.process().whenKilled(() -> cell.network().stream(to.process(), client, () -> reset(of)));
        cell.network().stream(client, to.process(), () -> {
            FeedReader opened = to.replica().subscribe(request);
            reader = opened;
            pull(to, opened, of);
        });
    }

    private void pull(SimulatedReplica from, FeedReader of, int connected) {
        if (connected != connection || closed) {
            of.close();
            return;
        }
        var unused = of.next()
                .whenComplete((frame, failure) -> cell.network().stream(from.process(), client, () -> {
                    if (connected == connection && frame != null) {
                        received(frame);
                        client.after(WORK_NANOS, () -> askForMore(from, of, connected));
                    }
                }));
    }

    private void askForMore(SimulatedReplica from, FeedReader of, int connected) {
        if (connected == connection && !closed) {
            cell.network().stream(client, from.process(), () -> pull(from, of, connected));
        }
    }

    private void connectAgain(int of) {
        if (of == connection && !closed) {
            connect();
        }
    }

    private void reset(int of) {
        if (of == connection && !closed) {
            reconnect();
        }
    }

    /** Looks when the silence may have lasted long enough. */
    private void watch() {
        client.after(heardAt + SILENCE_NANOS + 1 - client.nowNanos(), () -> {
            if (closed) {
                return;
            }
            if (client.nowNanos() - heardAt > SILENCE_NANOS) {
                reconnect();
            }
            watch();
        });
    }

    private void reconnect() {
        FeedReader left = reader;
        reader = null;
        if (left != null) {
            left.close();
        }
        int of = ++connection;
        client.after(RECONNECT_NANOS, () -> connectAgain(of));
        heardAt = client.nowNanos();
    }

    // ---- frames

    private void received(FeedFrame frame) {
        heardAt = client.nowNanos();
        if (frozen) {
            disturbed++;
            frozenFrames.add(frame);
        } else if (frame instanceof FeedFrame.Changes && skips > 0) {
            skips--;
            disturbed++;
        } else {
            take(frame);
            if (frame instanceof FeedFrame.Changes && repeats > 0) {
                repeats--;
                disturbed++;
                take(frame);
            }
        }
    }

    private void take(FeedFrame frame) {
        if (frame instanceof FeedFrame.Snapshot chunk) {
            takeChunk(chunk);
        } else if (frame instanceof FeedFrame.Changes changes) {
            takeChanges(changes);
        } else if (frame instanceof FeedFrame.Resync) {
            snapshot.clear();
        }
    }

    private void takeChunk(FeedFrame.Snapshot chunk) {
        snapshot.add(bytes(chunk.data()));
        if (!chunk.last()) {
            return;
        }
        CellReplica loaded = new CellReplica();
        loaded.load(snapshot);
        snapshot.clear();
        if (copy.view().version().isAfter(loaded.view().version())) {
            reconnect();
            return;
        }
        long before = copy.view().version().number();
        copy = loaded;
        fromSnapshot = false;
        record(before, true);
        owner.replaced(copy.view());
    }

    private void takeChanges(FeedFrame.Changes changes) {
        long before = copy.view().version().number();
        if (fromSnapshot || changes.last().number() <= before) {
            return;
        }
        try {
            copy.applyChanges(bytes(changes.data()), owner.touchedRows());
        } catch (RuntimeException misfit) {
            refusedFrames++;
            fromSnapshot = true;
            reconnect();
            return;
        }
        record(before, false);
        owner.advanced(copy.view());
    }

    private void record(long before, boolean replaced) {
        cell.history()
                .feedSteps
                .add(new History.FeedStep(
                        client.name(),
                        client.nowNanos(),
                        before,
                        copy.view().version().number(),
                        copy.view().digest(),
                        replaced));
    }

    private static byte[] bytes(ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        return bytes;
    }
}
