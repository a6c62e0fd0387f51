package dev.cella.state.web.feed;

import dev.cella.client.json.JsonCodec;
import dev.cella.state.core.FeedFrame;
import dev.cella.state.core.FeedReader;
import dev.cella.state.core.FeedRequest;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A private replica of the cell whose every version is rendered as rows, once for all who read the feed over HTTP.
 *
 * <h2>Why a replica of its own</h2>
 *
 * An event shows each row as it was at that very version. To read the rows from the cell when an event is sent would be simpler,
 * but the cell has gone on by then: a task that was PLACED and is RUNNING by now would be shown RUNNING twice, and a machine
 * that was removed not even by its name. So the changes are followed here one after another, as a scheduler follows them. That
 * costs a second copy of the cell's rows and the time to render them; so it exists only while somebody reads, and a little longer
 * so that a reader who lost its connection can resume.
 *
 * <p>Guarded by its own monitor. Frames come from the replica's answering threads, one at a time.
 */
public final class FeedProjection {
    private static final Logger LOG = LoggerFactory.getLogger(FeedProjection.class);

    /** So long a projection that nobody reads is kept up, for readers that come back. */
    private static final Duration LINGER = Duration.ofSeconds(60);

    private static final long KEPT_WEIGHT_MAX = 16L << 20;
    private static final int ROWS_PER_PIECE = 200;

    /** A consistent copy of what a reader wants to see, in pieces of text. */
    record Snapshot(long version, List<String> pieces) {}

    /** What followed a version; lost, if that is not known any more. */
    record Changes(boolean lost, List<FeedEvent> events) {
        static final Changes LOST = new Changes(true, List.of());
        static final Changes NONE = new Changes(false, List.of());
    }

    private final Replica replica;
    private final JsonCodec codec;
    private final Time time;
    private final Set<Runnable> readers = new HashSet<>();
    private final Deque<FeedEvent> kept = new ArrayDeque<>();
    private final List<byte[]> loading = new ArrayList<>();
    private long keptWeight;
    private @Nullable CellReplica cell;
    private @Nullable RowText rows;
    private @Nullable FeedReader reader;
    private Time.@Nullable Cancellation stopping;

    public FeedProjection(Replica replica, JsonCodec codec, Time time) {
        this.replica = replica;
        this.codec = codec;
        this.time = time;
    }

    /** A reader comes; it is woken at each change until it runs what is returned. */
    synchronized Runnable join(Runnable wake) {
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

    /** Forgets everything; the next reader begins anew. */
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
                        beginAnew(from, failure);
                    }
                });
    }

    /** A frame that cannot be followed is no reason to stay silent: the readers are told to resync. */
    private synchronized void beginAnew(FeedReader from, Throwable failure) {
        if (from == reader) {
            LOG.error("The feed over HTTP could not follow the cell and begins anew", failure);
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
        } else if (frame instanceof FeedFrame.Changes changes) {
            apply(changes);
        } else if (frame instanceof FeedFrame.Resync) {
            forget();
        }
        return List.copyOf(readers);
    }

    private void forget() {
        cell = null;
        rows = null;
        loading.clear();
        kept.clear();
        keptWeight = 0;
    }

    private void load(FeedFrame.Snapshot snapshot) {
        loading.add(bytes(snapshot.data()));
        if (snapshot.last()) {
            CellReplica loaded = new CellReplica();
            loaded.load(loading);
            forget();
            cell = loaded;
            rows = new RowText(codec, loaded.view());
        }
    }

    private void apply(FeedFrame.Changes changes) {
        if (cell != null && rows != null) {
            Rendering rendering = new Rendering(rows);
            cell.applyChanges(bytes(changes.data()), rendering);
            rendering.finish();
        }
    }

    private static byte[] bytes(ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        return bytes;
    }

    private void keep(FeedEvent event) {
        kept.add(event);
        keptWeight += event.weight();
        while (keptWeight > KEPT_WEIGHT_MAX && kept.size() > 1) {
            keptWeight -= kept.remove().weight();
        }
    }

    /** Makes an event of each version that is applied, of the rows as this version leaves them. */
    private final class Rendering implements TouchedRows {
        private final RowText text;
        private final Map<String, ChangedRow> touched = new LinkedHashMap<>();
        private long version;
        private Optional<Origin> transaction = Optional.empty();

        Rendering(RowText text) {
            this.text = text;
        }

        @Override
        public void version(CellVersion next, CellTime time, long wallTimeMillis, Optional<Origin> by) {
            finish();
            version = next.number();
            transaction = by;
        }

        /** A row that is named again is as it was named before: all of them are told after the version is applied. */
        private void touch(ChangedRow row) {
            touched.put(row.kind() + " " + row.name(), row);
        }

        @Override
        public void machine(int slot) {
            text.machine(slot).ifPresent(this::touch);
        }

        @Override
        public void job(JobId job) {
            text.job(job).ifPresent(this::touch);
        }

        @Override
        public void task(TaskId task) {
            text.task(task).ifPresent(this::touch);
        }

        @Override
        public void session(SessionId session) {
            text.session(session).ifPresent(this::touch);
        }

        void finish() {
            if (version > 0) {
                keep(new FeedEvent(version, transaction, List.copyOf(touched.values())));
                touched.clear();
            }
        }
    }

    /** What is known after that version, some of it; nothing where the projection is still loading. */
    synchronized Changes changesAfter(long version, int eventsMax) {
        if (cell == null) {
            return Changes.NONE;
        }
        long newest = cell.view().version().number();
        if (version == newest) {
            return Changes.NONE;
        }
        long oldest = newest - kept.size() + 1;
        if (version > newest || version < oldest - 1) {
            return Changes.LOST;
        }
        return new Changes(
                false, kept.stream().skip(version - oldest + 1).limit(eventsMax).toList());
    }

    /** All rows that the filter shows; nothing while the projection is still loading. */
    synchronized Optional<Snapshot> snapshot(FeedFilter filter) {
        if (cell == null || rows == null) {
            return Optional.empty();
        }
        long version = cell.view().version().number();
        List<ChangedRow> shown = rows.all().filter(filter::shows).toList();
        List<String> pieces = new ArrayList<>();
        for (int from = 0; from < shown.size(); from += ROWS_PER_PIECE) {
            int to = Math.min(shown.size(), from + ROWS_PER_PIECE);
            pieces.add(FeedText.snapshot(version, shown.subList(from, to), to == shown.size()));
        }
        return Optional.of(new Snapshot(
                version, pieces.isEmpty() ? List.of(FeedText.snapshot(version, List.of(), true)) : pieces));
    }
}
