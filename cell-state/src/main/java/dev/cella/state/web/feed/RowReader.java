package dev.cella.state.web.feed;

import dev.cella.state.core.Time;
import dev.cella.transactions.model.Incarnation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One reader's place in the feed by rows, over any protocol. It pulls: the next frame is made only on request, so a slow
 * reader costs nothing but its place, and a copy of the cell while it takes a snapshot or catches up. If the feed no longer has
 * the changes it needs, the reader is told to resync and gets a snapshot. A reader that gets no room for a copy asks for it
 * again at its next heartbeat.
 *
 * <p>Guarded by its own monitor; frames are made on the executor.
 */
final class RowReader implements AutoCloseable {
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final Duration FIGURES = Duration.ofSeconds(1);
    private static final int EVENTS_AT_ONCE = 256;
    private static final int ROWS_PER_PIECE = 200;

    /** After an interval with more rows than this, as many intervals more are left out as it had times that number. */
    private static final int ROWS_PER_INTERVAL = 1_000;

    private static final int LEFT_OUT_MAX = 4;

    private final FeedProjection projection;
    private final FeedFilter filter;
    private final Executor executor;
    private final Runnable leave;
    private final Deque<RowFrame> prepared = new ArrayDeque<>();
    private Incarnation incarnation;
    private OptionalLong sent;
    /**
     * How often a reader gets changes, and figures besides them.
     *
     * @param figures the figures that it gets once per second, as a line of JSON
     * @param every merges the changes of this time; if empty, each version comes alone
     */
    record Pace(Optional<Supplier<String>> figures, Optional<Duration> every) {
        static final Pace EVERY_VERSION = new Pace(Optional.empty(), Optional.empty());
    }

    private final Pace pace;
    private final MergedEvents merged = new MergedEvents();
    private boolean mergedDue;
    private int intervalsLeftOut;
    private boolean heartbeatDue;
    private boolean figuresDue;
    private boolean closed;
    private Time.@Nullable Cancellation heartbeat;
    private Time.@Nullable Cancellation nextFigures;
    private Time.@Nullable Cancellation nextMerged;
    private CopyRoom.@Nullable Place<FeedProjection.Snapshot> snapshot;
    private CopyRoom.@Nullable Place<PastEvents> past;
    private @Nullable CompletableFuture<RowFrame> asked;

    /**
     * A reader that stays until it is closed.
     *
     * @param incarnation the history of the version, if it is stated
     * @param from the last version that the reader knows, if any
     * @param pace how often the reader gets changes, and figures besides them
     */
    RowReader(
            FeedProjection projection,
            FeedFilter filter,
            Incarnation incarnation,
            OptionalLong from,
            Pace pace,
            Executor executor) {
        this.projection = projection;
        this.filter = filter;
        this.incarnation = incarnation;
        this.sent = from;
        this.pace = pace;
        this.figuresDue = pace.figures().isPresent();
        this.executor = executor;
        this.leave = pace.every().isPresent()
                ? projection.join(this::wakeSoon, filter.content())
                : projection.join(this::wakeSoon);
        scheduleHeartbeat();
        pace.figures().ifPresent(wanted -> scheduleFigures());
        pace.every().ifPresent(this::scheduleMerged);
    }

    /**
     * Call this before the first frame is requested, for a reader that begins with a snapshot. If there is no room for one, the
     * reader is closed, and this fails.
     *
     * @param copied the rows that are copied for it
     */
    void mustHaveRoom(FeedFilter copied) {
        Optional<CopyRoom.Place<FeedProjection.Snapshot>> room = projection.room(copied);
        if (room.isEmpty()) {
            close();
            throw CopyRoom.full();
        }
        synchronized (this) {
            snapshot = room.get();
        }
    }

    /**
     * Call this before the first frame is requested, with room: the reader begins with these rows and continues from their
     * version.
     */
    synchronized void beginWith(FeedProjection.Snapshot first) {
        if (snapshot != null) {
            beginWith(first, snapshot);
        }
    }

    /** Call this before the first frame is requested: the reader is told why it gets the current rows. */
    synchronized void startOver(String reason) {
        prepared.add(new RowFrame.Resync(reason));
    }

    private synchronized void scheduleFigures() {
        if (!closed) {
            nextFigures = projection.time().after(FIGURES, this::figuresAreDue);
        }
    }

    private void figuresAreDue() {
        synchronized (this) {
            figuresDue = true;
        }
        wakeSoon();
        scheduleFigures();
    }

    private synchronized void scheduleMerged(Duration every) {
        if (!closed) {
            nextMerged = projection.time().after(untilNext(every), () -> mergedIsDue(every));
        }
    }

    /** Readers with the same interval ask at the same moments, and so for the same cuts. */
    private Duration untilNext(Duration every) {
        return every.minusNanos(Math.floorMod(projection.time().monotonicNanos(), every.toNanos()));
    }

    private void mergedIsDue(Duration every) {
        if (!leftOut()) {
            wakeSoon();
        }
        scheduleMerged(every);
    }

    /** Makes the next changes due. Many rows cost the server, the network and the reader much, so they come less often. */
    private synchronized boolean leftOut() {
        if (intervalsLeftOut > 0) {
            intervalsLeftOut--;
            return true;
        }
        mergedDue = true;
        return false;
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

    /** The next frame, as soon as there is one. Ask again only after it came. */
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
        if (snapshot != null && sent.isPresent()) {
            return piece(snapshot);
        }
        if (heartbeatDue && !merged.isEmpty()) {
            return takeMerged(); // the heartbeat that follows says that they were sent
        }
        if (heartbeatDue && sent.isPresent()) {
            heartbeatDue = false;
            return new RowFrame.Heartbeat(history(), sent.getAsLong());
        }
        if (figuresDue && sent.isPresent() && pace.figures().isPresent()) {
            figuresDue = false;
            return new RowFrame.Figures(pace.figures().get().get());
        }
        return sent.isPresent() ? changesAfter(sent.getAsLong()) : beginSnapshot();
    }

    /** A reader that did not say which history it knows gets the changes of the present one. */
    private Incarnation history() {
        return incarnation.equals(Incarnation.UNSAID) ? projection.incarnation() : incarnation;
    }

    private @Nullable RowFrame beginSnapshot() {
        if (snapshot == null) {
            snapshot = projection.<FeedProjection.Snapshot>room(filter).orElse(null);
        }
        CopyRoom.Place<FeedProjection.Snapshot> room = snapshot;
        if (room == null) {
            return null;
        }
        Optional<FeedProjection.Snapshot> now = projection.snapshot(filter);
        now.ifPresent(first -> beginWith(first, room));
        return now.isPresent() ? piece(room) : null;
    }

    private void beginWith(FeedProjection.Snapshot first, CopyRoom.Place<FeedProjection.Snapshot> room) {
        incarnation = first.incarnation();
        sent = OptionalLong.of(first.version());
        room.hold(first, () -> {});
    }

    private RowFrame piece(CopyRoom.Place<FeedProjection.Snapshot> room) {
        Optional<FeedProjection.Snapshot> held = room.use();
        if (held.isEmpty()) {
            snapshot = null;
            sent = OptionalLong.empty();
            return new RowFrame.Resync("the snapshot was not read for " + CopyRoom.UNUSED_MAX.toSeconds() + " s");
        }
        FeedProjection.Snapshot shown = held.get();
        List<ChangedRow> rows = shown.rows().take(ROWS_PER_PIECE);
        boolean last = shown.rows().isOver();
        if (last) {
            stopSnapshot();
        }
        return new RowFrame.Snapshot(shown.incarnation(), shown.version(), rows, last);
    }

    private void stopSnapshot() {
        if (snapshot != null) {
            snapshot.leave();
            snapshot = null;
        }
    }

    private @Nullable RowFrame changesAfter(long version) {
        if (pace.every().isPresent() && !mergedDue && past == null) {
            return null;
        }
        FeedProjection.Changes changes = known(version);
        if (changes.lost()) {
            sent = OptionalLong.empty();
            merged.take();
            stopPast();
            return new RowFrame.Resync("version " + version + " is not kept");
        }
        List<VersionChange> shown = changes.events().stream()
                .map(event -> event.only(filter))
                .filter(event -> filter.isEverything() || !event.rows().isEmpty())
                .toList();
        if (changes.events().isEmpty()) {
            return mergedIfDue();
        }
        long last = changes.events().get(changes.events().size() - 1).version();
        sent = OptionalLong.of(last);
        if (pace.every().isPresent()) {
            shown.forEach(merged::add);
            return changesAfter(last);
        }
        return shown.isEmpty() ? changesAfter(last) : new RowFrame.Changes(incarnation, last, shown);
    }

    private @Nullable RowFrame mergedIfDue() {
        return mergedDue && !merged.isEmpty() ? takeMerged() : null;
    }

    private RowFrame takeMerged() {
        mergedDue = false;
        VersionChange event = merged.take();
        intervalsLeftOut = Math.min(LEFT_OUT_MAX, event.rows().size() / ROWS_PER_INTERVAL);
        return new RowFrame.Changes(incarnation, event.version(), List.of(event));
    }

    /** The changes from the shared projection, or from what is made for this reader only if they are older. */
    private FeedProjection.Changes known(long version) {
        FeedProjection.Changes kept = pace.every()
                .map(every -> projection.cutsAfter(incarnation, version, filter.content(), every))
                .orElseGet(() -> projection.changesAfter(incarnation, version, EVENTS_AT_ONCE));
        if (!kept.lost()) {
            stopPast();
            return kept;
        }
        if (!projection.mayHaveHad(incarnation, version)) {
            return kept;
        }
        return past(version).map(events -> events.next(EVENTS_AT_ONCE)).orElse(FeedProjection.Changes.NONE);
    }

    /** The events that are made for this reader only; empty if there is no room for them. */
    private Optional<PastEvents> past(long version) {
        Optional<PastEvents> held = past == null ? Optional.empty() : past.use();
        if (held.isPresent()) {
            return held;
        }
        past = projection.<PastEvents>room(FeedFilter.EVERYTHING).orElse(null);
        if (past == null) {
            return Optional.empty();
        }
        PastEvents events = projection.past(version, filter.brief(), this::wakeSoon);
        past.hold(events, events::close);
        return Optional.of(events);
    }

    private void stopPast() {
        if (past != null) {
            past.leave();
            past = null;
        }
    }

    @Override
    public void close() {
        leave.run();
        synchronized (this) {
            closed = true;
            stopSnapshot();
            stopPast();
            if (heartbeat != null) {
                heartbeat.cancel();
            }
            if (nextFigures != null) {
                nextFigures.cancel();
            }
            if (nextMerged != null) {
                nextMerged.cancel();
            }
        }
    }
}
