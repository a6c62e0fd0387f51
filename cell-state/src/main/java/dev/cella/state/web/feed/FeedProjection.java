package dev.cella.state.web.feed;

import dev.cella.client.json.JsonCodec;
import dev.cella.state.core.FeedFrame;
import dev.cella.state.core.FeedReader;
import dev.cella.state.core.FeedRequest;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest events of the cell as rows, made once for all readers of the feed by rows: all readers over HTTP, and watchers of
 * a part of the cell over gRPC.
 *
 * <p>It costs a second copy of the cell's rows and the time to make them ({@link RowReplica}). So it exists only while
 * somebody reads, and a little longer for readers that come back. {@link PastEvents} serves earlier events. Readers that want
 * the changes of an interval at once get {@link RowCuts}, and no rows are made for versions in between.
 *
 * <p>Guarded by its own monitor. Frames come from the replica's answering threads, one at a time.
 */
public final class FeedProjection {
    private static final Logger LOG = LoggerFactory.getLogger(FeedProjection.class);

    /** How long a projection without readers is kept for readers that come back. */
    private static final Duration LINGER = Duration.ofSeconds(60);

    private static final long KEPT_WEIGHT_MAX = 16L << 20;

    /** A consistent copy of the rows that a reader sees. */
    record Snapshot(long version, Incarnation incarnation, RowsToCome rows) {}

    /** The changes after a version; {@code lost} if they are no longer known. */
    record Changes(boolean lost, List<VersionChange> events) {
        static final Changes LOST = new Changes(true, List.of());
        static final Changes NONE = new Changes(false, List.of());
    }

    private final Replica replica;
    private final JsonCodec codec;
    private final Time time;
    private final CopyRoom copies;
    private final Set<Runnable> readers = new HashSet<>();
    private final Set<Runnable> versionReaders = new HashSet<>();
    private final Map<RowCuts.Content, RowCuts> cuts = new HashMap<>();
    private final Map<Runnable, RowCuts.Content> cutReaders = new HashMap<>();
    private final Deque<VersionChange> kept = new ArrayDeque<>();
    private final List<byte[]> loading = new ArrayList<>();
    private long keptWeight;
    private Incarnation incarnation = Incarnation.UNSAID;
    private @Nullable RowReplica cell;
    private @Nullable FeedReader reader;
    private Time.@Nullable Cancellation stopping;

    public FeedProjection(Replica replica, JsonCodec codec, Time time) {
        this(replica, codec, time, new CopyRoom(time));
    }

    FeedProjection(Replica replica, JsonCodec codec, Time time, CopyRoom copies) {
        this.replica = replica;
        this.codec = codec;
        this.time = time;
        this.copies = copies;
    }

    Time time() {
        return time;
    }

    /** The present history of the cell. */
    Incarnation incarnation() {
        return replica.incarnation();
    }

    /** Returns whether this replica receives new entries. */
    boolean isCurrent() {
        return replica.isCurrent();
    }

    /** Adds a reader of each version, which is woken at each change until it runs the returned task. */
    synchronized Runnable join(Runnable wake) {
        versionReaders.add(wake);
        return joinAny(wake);
    }

    /** Adds a reader that asks from time to time for the changes since. It is woken when there is another copy of the cell. */
    synchronized Runnable join(Runnable wake, RowCuts.Content content) {
        cutReaders.put(wake, content);
        if (cell != null) {
            cuts.computeIfAbsent(content, cell::cuts);
        }
        return joinAny(wake);
    }

    private Runnable joinAny(Runnable wake) {
        readers.add(wake);
        if (stopping != null) {
            stopping.cancel();
            stopping = null;
        }
        if (reader == null) {
            reader = replica.subscribe(FeedRequest.fromSnapshot());
            follow(reader);
        }
        return () -> leave(wake);
    }

    private synchronized void leave(Runnable wake) {
        readers.remove(wake);
        versionReaders.remove(wake);
        cutReaders.remove(wake);
        cuts.keySet().retainAll(cutReaders.values());
        if (readers.isEmpty() && stopping == null) {
            stopping = time.after(LINGER, this::stopUnread);
        }
    }

    private synchronized void stopUnread() {
        stopping = null;
        if (readers.isEmpty()) {
            close();
        }
    }

    /** Drops everything; the next reader starts again. */
    public synchronized void close() {
        if (reader != null) {
            reader.close();
            reader = null;
        }
        forget();
    }

    private void follow(FeedReader from) {
        var unused = from.next()
                .thenAccept(frame -> {
                    take(from, frame).forEach(Runnable::run);
                    follow(from);
                })
                .whenComplete((taken, failure) -> {
                    if (failure != null) {
                        startOver(from, failure);
                    }
                });
    }

    /** Handles a frame that cannot be followed: the readers are told to resync. */
    private synchronized void startOver(FeedReader from, Throwable failure) {
        if (from == reader) {
            LOG.error("The feed by rows could not follow the cell and starts again", failure);
            close();
            reader = replica.subscribe(FeedRequest.fromSnapshot());
            follow(reader);
        }
    }

    private synchronized List<Runnable> take(FeedReader from, FeedFrame frame) {
        if (from != reader) {
            return List.of();
        }
        if (frame instanceof FeedFrame.Snapshot snapshot) {
            load(snapshot);
        } else if (frame instanceof FeedFrame.Changes changes && cell != null) {
            apply(cell, bytes(changes.data()));
            return List.copyOf(versionReaders);
        } else if (frame instanceof FeedFrame.Resync) {
            forget();
        }
        return List.copyOf(readers);
    }

    /** Rows of each version are made only while somebody reads each version. */
    private void apply(RowReplica to, byte[] frames) {
        if (versionReaders.isEmpty()) {
            kept.clear();
            keptWeight = 0;
            to.apply(frames, cuts.values());
        } else {
            to.events(frames, 0, cuts.values()).forEach(this::keep);
        }
    }

    private void forget() {
        cell = null;
        cuts.clear();
        loading.clear();
        kept.clear();
        keptWeight = 0;
    }

    private void load(FeedFrame.Snapshot snapshot) {
        loading.add(bytes(snapshot.data()));
        if (snapshot.last()) {
            RowReplica loaded = new RowReplica(codec, loading, false);
            forget();
            cell = loaded;
            cutReaders.values().forEach(content -> cuts.computeIfAbsent(content, loaded::cuts));
            incarnation = snapshot.incarnation();
        }
    }

    static byte[] bytes(ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        return bytes;
    }

    private void keep(VersionChange event) {
        kept.add(event);
        keptWeight += event.weight();
        while (keptWeight > KEPT_WEIGHT_MAX && kept.size() > 1) {
            keptWeight -= kept.remove().weight();
        }
    }

    /** Some of the changes after that version of that history; empty if the projection is not there yet. */
    synchronized Changes changesAfter(Incarnation of, long version, int eventsMax) {
        if (cell == null || version >= cell.version() || !of.accepts(incarnation)) {
            return notAfter(of, version);
        }
        long oldest = cell.version() - kept.size() + 1;
        return version < oldest - 1
                ? Changes.LOST
                : new Changes(
                        false,
                        kept.stream()
                                .skip(version - oldest + 1)
                                .limit(eventsMax)
                                .toList());
    }

    /** The changes after that version in cuts, each of about that time. */
    synchronized Changes cutsAfter(Incarnation of, long version, RowCuts.Content content, Duration every) {
        RowCuts own = cuts.get(content);
        return cell == null || own == null || version >= cell.version() || !of.accepts(incarnation)
                ? notAfter(of, version)
                : own.after(version, time.monotonicNanos(), every);
    }

    /** Nothing is known after that version, or nothing yet. */
    private Changes notAfter(Incarnation of, long version) {
        if (cell == null) {
            return Changes.NONE;
        }
        boolean isKnown = version == cell.version() || isToCome(of, version);
        return of.accepts(incarnation) && isKnown ? Changes.NONE : Changes.LOST;
    }

    /**
     * A reader ahead of this replica in the same history followed one that has applied more. A version without its history may
     * be invented.
     */
    private boolean isToCome(Incarnation of, long version) {
        return of.equals(incarnation) || version <= replica.version().number();
    }

    /**
     * Returns whether this replica may have shown that version. A version ahead of it, or of another history, was never here.
     */
    synchronized boolean mayHaveHad(Incarnation of, long version) {
        return cell != null && of.accepts(incarnation) && version < cell.version();
    }

    /** Room for a copy with the rows that the filter shows, if there is any. */
    <T> Optional<CopyRoom.Place<T>> room(FeedFilter filter) {
        return copies.take(replica.read(filter::rowsMax));
    }

    /** All rows that the filter shows; empty while the projection is still loading. */
    synchronized Optional<Snapshot> snapshot(FeedFilter filter) {
        return cell == null
                ? Optional.empty()
                : Optional.of(new Snapshot(cell.version(), incarnation, cell.rows(filter)));
    }

    /** The rows at that version of that history, while its changes are kept. */
    CompletableFuture<Optional<Snapshot>> snapshotAt(Incarnation of, long version, FeedFilter filter) {
        if (!of.accepts(replica.incarnation()) || version > replica.version().number()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        FeedReader past = replica.subscribe(FeedRequest.fromSnapshotUpTo(new CellVersion(version)));
        return PastCopy.of(past, codec, version, filter);
    }

    /** The first version for which that works. */
    long keptFrom() {
        return replica.feedKeptFrom().number();
    }

    /** The changes after a version that is no longer kept here, if the cell still has them. */
    PastEvents past(long version, boolean brief, Runnable wake) {
        FeedReader past = replica.subscribe(FeedRequest.fromSnapshotUpTo(new CellVersion(version)));
        return new PastEvents(past, codec, version, brief, wake);
    }
}
