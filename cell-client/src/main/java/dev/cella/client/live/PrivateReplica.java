package dev.cella.client.live;

import com.google.protobuf.ByteString;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.proto.Changes;
import dev.cella.client.proto.FeedFrame;
import dev.cella.client.proto.Part;
import dev.cella.client.proto.SnapshotChunk;
import dev.cella.client.proto.TableDigests;
import dev.cella.client.proto.WatchRequest;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.copies.CellCopy;
import dev.cella.transactions.model.CellVersion;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A private copy of the cell state that follows the feed. Schedulers plan on it and agents reconcile with it.
 *
 * <h2>Staying on the feed</h2> A copy is at one place of one history: (incarnation, version). When the stream is lost, the
 * replica asks for the changes after that place, at any replica of the cell that answers, and skips those that it has. The
 * cell may answer that it no longer keeps that place, or that its history is another one. Then the replica reads the following
 * snapshot into a new copy, which replaces the old one only when it is complete. The same happens if a frame does not fit, if
 * the listener fails, or if the digests in the feed differ from the copy's, because a copy that was once wrong stays wrong.
 *
 * <p>Frames are requested one at a time, so a slow copy slows down its own stream and nothing queues here. If it falls far
 * behind, the cell tells it to resync. The feed is never silent for long; if it is, the stream counts as dead.
 *
 * <p>Owned by the executor, which must have one thread: read the view there; the listener is called there.
 */
public final class PrivateReplica implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PrivateReplica.class);

    /** The cell sends heartbeats every five seconds. After this silence the stream counts as dead. */
    private static final Duration SILENCE = Duration.ofSeconds(8);

    private final CellConnection connection;
    private final Owner owner;
    private final Owner.Alarm reopening;
    private final Owner.Alarm silence;
    private final Backoff backoff;
    private final ReplicaListener listener;
    private final long silenceMillis;
    private final List<byte[]> snapshot = new ArrayList<>();
    private final TreeMap<CellVersion, List<CompletableFuture<CellView>>> awaited = new TreeMap<>();
    private CellReplica replica = new CellReplica();
    private @Nullable Watch watch;
    private List<String> machines = List.of();
    private final AtomicLong mismatches = new AtomicLong();
    private boolean fromSnapshot = true;
    private boolean heard;
    private boolean isAway;
    private boolean closed;

    public PrivateReplica(
            CellConnection connection, ScheduledExecutorService owner, Backoff backoff, ReplicaListener listener) {
        this(connection, owner, backoff, listener, SILENCE);
    }

    PrivateReplica(
            CellConnection connection,
            ScheduledExecutorService owner,
            Backoff backoff,
            ReplicaListener listener,
            Duration silenceMax) {
        this.silenceMillis = silenceMax.toMillis();
        this.connection = connection;
        this.owner = new Owner(owner);
        this.reopening = this.owner.alarm();
        this.silence = this.owner.alarm();
        this.backoff = backoff;
        this.listener = listener;
    }

    /**
     * Call this before the start. It then holds only what concerns these machines, if the cell can send that: a small cell that
     * is replaced whenever something in it changes. If that fails, it follows the whole cell.
     */
    public void followOnly(List<String> names) {
        machines = List.copyOf(names);
    }

    /** Begins to follow. The listener gets the first copy when it has arrived. */
    public void start() {
        owner.execute(() -> {
            open();
            silence.set(silenceMillis, this::checkSilence);
        });
    }

    /** The view of the copy; empty until the first snapshot has arrived. Read it on the owner's thread. */
    public CellView view() {
        return replica.view();
    }

    /** Returns whether it has a copy and the cell answers. Call it on the owner's thread. */
    public boolean isReached() {
        return !isAway && !fromSnapshot;
    }

    /** The state of the copy at this moment, for another thread. Call it on the owner's thread. */
    public CellCopy copy() {
        return replica.copy();
    }

    /**
     * The view once it shows that version or a later one and is not being replaced. Completed on the owner's thread, after the
     * listener. Fails if the replica is closed or the cell begins another history, in which the version means nothing.
     */
    public CompletableFuture<CellView> awaitVersion(CellVersion version) {
        CompletableFuture<CellView> reached = new CompletableFuture<>();
        owner.execute(() -> {
            if (closed) {
                reached.completeExceptionally(Problem.gone("the private replica is closed"));
            } else if (fromSnapshot || version.isAfter(view().version())) {
                awaited.computeIfAbsent(version, first -> new ArrayList<>()).add(reached);
            } else {
                reached.complete(view());
            }
        });
        return reached;
    }

    private void open() {
        if (closed) {
            return;
        }
        snapshot.clear();
        heard = true;
        watch = new Watch(connection.server());
        watch.server.feed().watch(place(), watch);
    }

    private WatchRequest place() {
        if (fromSnapshot || !machines.isEmpty()) {
            return WatchRequest.newBuilder().addAllAgentMachines(machines).build();
        }
        return WatchRequest.newBuilder()
                .setIncarnation(view().incarnation().number())
                .setFromVersion(view().version().number())
                .build();
    }

    /**
     * One stream of frames. Its messages are handled on the owner's thread, and only while it is the current stream.
     */
    private final class Watch implements ClientResponseObserver<WatchRequest, FeedFrame> {
        private final ServerStubs server;
        private @Nullable ClientCallStreamObserver<WatchRequest> call;

        Watch(ServerStubs server) {
            this.server = server;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> started) {
            call = started;
            started.disableAutoRequestWithInitial(1);
        }

        @Override
        public void onNext(FeedFrame frame) {
            handOver(() -> {
                receive(frame);
                if (watch == this && call != null) {
                    call.request(1);
                }
            });
        }

        @Override
        public void onError(Throwable failure) {
            handOver(() -> lost(ProblemStatus.fromException(failure)));
        }

        @Override
        public void onCompleted() {
            handOver(() -> lost(Problem.unavailable("the cell ended the stream")));
        }

        private void handOver(Runnable event) {
            owner.execute(() -> {
                if (watch == this) {
                    event.run();
                }
            });
        }

        private void cancel(String why) {
            if (call != null) {
                call.cancel(why, null);
            }
        }
    }

    private void receive(FeedFrame frame) {
        heard = true;
        try {
            apply(frame);
        } catch (RuntimeException wrong) {
            LOG.error("replica version={}: a frame was not applied", view().version(), wrong);
            fromSnapshot = true;
            lost(Problem.internal("a frame was not applied, taking a snapshot"));
        }
    }

    private void apply(FeedFrame frame) {
        switch (frame.getFrameCase()) {
            case SNAPSHOT -> collect(frame.getSnapshot());
            case CHANGES -> follow(frame.getChanges());
            case PART -> takePart(frame.getPart());
            case RESYNC -> {
                LOG.info(
                        "replica version={}: resync, {}",
                        view().version(),
                        frame.getResync().getReason());
                snapshot.clear();
            }
            case HEARTBEAT -> {
                backoff.reset();
                reached();
            }
            case ROWS, FRAME_NOT_SET -> {
                // Extra fields of a newer cell, which a copy does not need.
            }
        }
    }

    private void collect(SnapshotChunk chunk) {
        snapshot.add(chunk.getData().toByteArray());
        if (chunk.getLast()) {
            CellReplica loaded = new CellReplica();
            loaded.load(snapshot);
            snapshot.clear();
            if (isOfThePast(loaded.view())) {
                lost(Problem.unavailable("a snapshot at " + loaded.view().version() + ": that server is behind"));
            } else {
                replace(loaded, listener::replaced);
            }
        }
    }

    private void takePart(Part part) {
        CellReplica loaded = new CellReplica();
        loaded.load(part.getChunksList().stream().map(ByteString::toByteArray).toList());
        if (isOfThePast(loaded.view())) {
            lost(Problem.unavailable("a part at " + loaded.view().version() + ": that server is behind"));
        } else {
            backoff.reset();
            replace(loaded, listener::partReplaced);
        }
    }

    /**
     * A shown version is never taken back: the replica leaves a server that lags, or asks it again when it has caught up.
     */
    private boolean isOfThePast(CellView loaded) {
        return !isOfAnotherHistory(loaded) && view().version().isAfter(loaded.version());
    }

    private boolean isOfAnotherHistory(CellView loaded) {
        return view().isFounded() && !view().incarnation().equals(loaded.incarnation());
    }

    private void replace(CellReplica loaded, Consumer<CellView> tell) {
        boolean otherHistory = isOfAnotherHistory(loaded.view());
        boolean isFirst = fromSnapshot;
        replica = loaded;
        fromSnapshot = false;
        reached();
        if (isFirst || machines.isEmpty()) {
            LOG.info("replica version={}: snapshot read", view().version());
        }
        tell.accept(view());
        if (otherHistory) {
            failAwaited(Problem.gone("the cell has begun another history"));
        }
        completeAwaited();
    }

    private void follow(Changes changes) {
        if (changes.getLastVersion() <= view().version().number()) {
            return;
        }
        replica.applyChanges(
                NewFrames.after(view().version(), changes.getData().toByteArray()), listener.touchedRows());
        if (changes.hasDigests()) {
            check(changes.getDigests());
        }
        backoff.reset();
        reached();
        listener.advanced(view());
        completeAwaited();
    }

    /** A copy that differs from the cell's must not be used and cannot be repaired, so another one is taken. */
    private void check(TableDigests told) {
        List<String> differing = DigestCheck.differences(told, view().digests());
        if (!differing.isEmpty()) {
            mismatches.incrementAndGet();
            throw new IllegalStateException("other digests than the cell's: " + differing);
        }
    }

    /** How often this copy differed from the cell's and was replaced; always 0, unless there is a defect. */
    public long mismatches() {
        return mismatches.get();
    }

    private void completeAwaited() {
        takeAwaited(awaited.headMap(view().version(), true)).forEach(reached -> reached.complete(view()));
    }

    private void failAwaited(Problem why) {
        takeAwaited(awaited).forEach(failed -> failed.completeExceptionally(why));
    }

    /** Empties the map before its futures are completed, because their callbacks may await another version. */
    private static List<CompletableFuture<CellView>> takeAwaited(
            Map<CellVersion, List<CompletableFuture<CellView>>> from) {
        List<CompletableFuture<CellView>> taken =
                from.values().stream().flatMap(List::stream).toList();
        from.clear();
        return taken;
    }

    /** Opens the stream again after a pause, at another server if this one cannot serve. */
    private void lost(Problem problem) {
        if (problem.type() == ProblemType.INTERNAL && !machines.isEmpty()) {
            LOG.error("machines={}: the cell's part of them failed, following the whole cell", machines);
            machines = List.of();
            fromSnapshot = true;
        }
        sayOnce(problem);
        leave(problem);
        reopening.set(backoff.nextDelayMillis(problem), this::open);
    }

    /** Logs a problem once, not at each try while the cell is away. */
    private void sayOnce(Problem problem) {
        if (!isAway) {
            LOG.warn(
                    "cell={} version={}: cannot be reached, {}; still trying",
                    connection.server().address(),
                    view().version(),
                    problem.detail());
        }
        isAway = true;
    }

    private void reached() {
        if (isAway) {
            LOG.info("cell={} version={}: reached", connection.server().address(), view().version());
        }
        isAway = false;
        listener.heard();
    }

    private void leave(Problem why) {
        Watch left = watch;
        watch = null;
        if (left != null) {
            left.cancel(why.detail());
            connection.turnFrom(left.server, why);
        }
    }

    private void checkSilence() {
        if (watch != null && !heard) {
            lost(Problem.unavailable("nothing was heard for " + silenceMillis + " ms"));
        }
        heard = false;
        silence.set(silenceMillis, this::checkSilence);
    }

    /** Leaves the feed. The view stays as it is. */
    @Override
    public void close() {
        owner.execute(() -> {
            closed = true;
            Problem why = Problem.gone("the private replica is closed");
            leave(why);
            reopening.cancel();
            silence.cancel();
            failAwaited(why);
        });
    }
}
