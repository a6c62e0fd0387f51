package dev.cella.state.web.feed;

import dev.cella.state.core.Time;
import dev.cella.transactions.model.Incarnation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One reader's place in the feed by rows, whatever way it came in. It pulls: the next frame is made only when it is asked for,
 * so a slow reader costs nothing but its place; if the feed goes on without it, it is told to resync and gets a snapshot.
 *
 * <p>Guarded by its own monitor; frames are made on the executor.
 */
final class RowReader implements AutoCloseable {
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final int EVENTS_AT_ONCE = 256;
    private static final int ROWS_PER_PIECE = 200;

    private final FeedProjection projection;
    private final FeedFilter filter;
    private final Executor executor;
    private final Runnable leave;
    private final Deque<RowFrame> prepared = new ArrayDeque<>();
    private Incarnation incarnation;
    private OptionalLong sent;
    private boolean heartbeatDue;
    private boolean closed;
    private Time.@Nullable Cancellation heartbeat;
    private @Nullable PastEvents past;
    private @Nullable CompletableFuture<RowFrame> asked;

    /**
     * A reader that stays until it is closed.
     *
     * @param incarnation the history that the version is of, if it is said
     * @param from the last version that the reader knows, if it knows any
     */
    RowReader(
            FeedProjection projection,
            FeedFilter filter,
            Incarnation incarnation,
            OptionalLong from,
            Executor executor) {
        this.projection = projection;
        this.filter = filter;
        this.incarnation = incarnation;
        this.sent = from;
        this.executor = executor;
        this.leave = projection.join(this::wakeSoon);
        scheduleHeartbeat();
    }

    private synchronized void scheduleHeartbeat() {
        if (!closed) {
            heartbeat = projection.time().after(HEARTBEAT, this::beat);
        }
    }

    private void beat() {
        synchronized (this) {
            heartbeatDue = true;
        }
        wakeSoon();
        scheduleHeartbeat();
    }

    /** The next frame, as soon as there is one. Asked for again only after it came. */
    synchronized CompletableFuture<RowFrame> next() {
        CompletableFuture<RowFrame> next = new CompletableFuture<>();
        asked = next;
        wakeSoon();
        return next;
    }

    private void wakeSoon() {
        executor.execute(this::wake);
    }

    private void wake() {
        CompletableFuture<RowFrame> answered;
        RowFrame frame;
        synchronized (this) {
            frame = asked == null || closed ? null : frame();
            answered = frame == null ? null : asked;
            asked = frame == null ? asked : null;
        }
        if (answered != null) {
            answered.complete(frame);
        }
    }

    private @Nullable RowFrame frame() {
        if (!prepared.isEmpty()) {
            return prepared.poll();
        }
        if (heartbeatDue && sent.isPresent()) {
            heartbeatDue = false;
            return new RowFrame.Heartbeat(sent.getAsLong());
        }
        return sent.isPresent() ? changesAfter(sent.getAsLong()) : beginSnapshot();
    }

    private @Nullable RowFrame beginSnapshot() {
        projection.snapshot(filter).ifPresent(snapshot -> {
            incarnation = snapshot.incarnation();
            sent = OptionalLong.of(snapshot.version());
            prepare(snapshot);
        });
        return prepared.poll();
    }

    private void prepare(FeedProjection.Snapshot snapshot) {
        List<ChangedRow> rows = snapshot.rows();
        int from = 0;
        do {
            int to = Math.min(rows.size(), from + ROWS_PER_PIECE);
            prepared.add(new RowFrame.Snapshot(
                    snapshot.incarnation(), snapshot.version(), rows.subList(from, to), to == rows.size()));
            from = to;
        } while (from < rows.size());
    }

    private @Nullable RowFrame changesAfter(long version) {
        FeedProjection.Changes changes = known(version);
        if (changes.lost()) {
            sent = OptionalLong.empty();
            stopPast();
            return new RowFrame.Resync("version " + version + " is not kept");
        }
        List<FeedEvent> shown = changes.events().stream()
                .map(event -> event.only(filter))
                .filter(event -> filter.isEverything() || !event.rows().isEmpty())
                .toList();
        if (changes.events().isEmpty()) {
            return null;
        }
        long last = changes.events().get(changes.events().size() - 1).version();
        sent = OptionalLong.of(last);
        return shown.isEmpty() ? changesAfter(last) : new RowFrame.Changes(incarnation, last, shown);
    }

    /** Of what is kept for all; and what is before that, of what is made for this reader alone. */
    private FeedProjection.Changes known(long version) {
        FeedProjection.Changes kept = projection.changesAfter(incarnation, version, EVENTS_AT_ONCE);
        if (!kept.lost()) {
            stopPast();
            return kept;
        }
        if (!projection.mayHaveHad(incarnation, version)) {
            return kept;
        }
        if (past == null) {
            past = projection.past(version, this::wakeSoon);
        }
        return past.next(EVENTS_AT_ONCE);
    }

    private void stopPast() {
        if (past != null) {
            past.close();
            past = null;
        }
    }

    @Override
    public void close() {
        leave.run();
        synchronized (this) {
            closed = true;
            stopPast();
            if (heartbeat != null) {
                heartbeat.cancel();
            }
        }
    }
}
