package dev.cella.state.web;

import com.google.protobuf.UnsafeByteOperations;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.live.DigestCheck;
import dev.cella.client.live.ProblemStatus;
import dev.cella.client.proto.Changes;
import dev.cella.client.proto.FeedFrame;
import dev.cella.client.proto.FeedServiceGrpc;
import dev.cella.client.proto.Heartbeat;
import dev.cella.client.proto.Resync;
import dev.cella.client.proto.SnapshotChunk;
import dev.cella.client.proto.WatchRequest;
import dev.cella.state.core.FeedReader;
import dev.cella.state.core.FeedRequest;
import dev.cella.state.core.Replica;
import dev.cella.state.web.access.Caller;
import dev.cella.state.web.feed.FeedFilter;
import dev.cella.state.web.feed.FeedProjection;
import dev.cella.state.web.feed.MachineFeed;
import dev.cella.state.web.feed.WatchedRows;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;
import io.grpc.ServerMethodDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The feed over gRPC, for private replicas and for clients that watch a part of the cell.
 *
 * <p>The next frame is requested from the feed only when the network has room again after the last one. So a slow watcher
 * delays nobody: it falls behind, and the feed tells it to resync. A replica that is cut off from the others would show its
 * watchers an old cell forever, as if nothing happened. So instead of a heartbeat it ends their streams, and they connect to
 * another replica. Guarded by its own monitor.
 */
final class WatchStream {
    private final BooleanSupplier isCurrent;
    private final Supplier<CompletableFuture<FeedFrame>> frames;
    private final Runnable leave;
    private final ServerCallStreamObserver<FeedFrame> out;
    private boolean asked;

    /**
     * @param isCurrent whether this replica receives new entries
     * @param leave gives the place in the feed back; called once the stream has ended, for any reason
     */
    WatchStream(
            BooleanSupplier isCurrent,
            Supplier<CompletableFuture<FeedFrame>> frames,
            Runnable leave,
            ServerCallStreamObserver<FeedFrame> out) {
        this.isCurrent = isCurrent;
        this.frames = frames;
        this.leave = leave;
        this.out = out;
    }

    static ServerMethodDefinition<?, ?> method(Replica replica, FeedProjection projection, MachineFeed machines) {
        return ServerMethodDefinition.create(
                FeedServiceGrpc.getWatchMethod(), ServerCalls.asyncServerStreamingCall((request, responses) -> {
                    ServerCallStreamObserver<FeedFrame> out = (ServerCallStreamObserver<FeedFrame>) responses;
                    try {
                        mustWatch(Caller.current());
                        of(replica, projection, machines, request, out).open();
                    } catch (Problem refused) {
                        out.onError(ProblemStatus.toException(refused));
                    }
                }));
    }

    /** An agent of many machines may follow the whole feed, as a scheduler does, to learn at once about changes of its tasks. */
    private static void mustWatch(Caller caller) {
        if (!caller.mayRunSomeMachine()) {
            caller.mustRead();
        }
    }

    private static WatchStream of(
            Replica replica,
            FeedProjection projection,
            MachineFeed machines,
            WatchRequest request,
            ServerCallStreamObserver<FeedFrame> out) {
        if (request.getAgentMachinesCount() > 0) {
            return ofMachines(replica, machines, request, out);
        }
        return FeedFilter.of(request).isEverything()
                ? ofAll(replica, request, out)
                : ofRows(replica, projection, request, out);
    }

    private static WatchStream ofAll(Replica replica, WatchRequest request, ServerCallStreamObserver<FeedFrame> out) {
        FeedReader reader = replica.subscribe(place(request));
        return new WatchStream(
                replica::isCurrent, () -> reader.next().thenApply(WatchStream::message), reader::close, out);
    }

    private static WatchStream ofRows(
            Replica replica, FeedProjection projection, WatchRequest request, ServerCallStreamObserver<FeedFrame> out) {
        WatchedRows rows = WatchedRows.open(
                projection, request, ServiceRequestContext.current().blockingTaskExecutor());
        return new WatchStream(replica::isCurrent, rows::next, rows::close, out);
    }

    private static WatchStream ofMachines(
            Replica replica, MachineFeed machines, WatchRequest request, ServerCallStreamObserver<FeedFrame> out) {
        MachineFeed.Watcher watcher = machines.watch(
                request.getAgentMachinesList(), ServiceRequestContext.current().blockingTaskExecutor());
        return new WatchStream(replica::isCurrent, watcher::next, watcher::close, out);
    }

    void open() {
        out.setOnReadyHandler(this::askNext);
        out.setOnCancelHandler(leave);
        askNext();
    }

    private static FeedRequest place(WatchRequest request) {
        return request.hasFromVersion()
                ? FeedRequest.after(
                        new Incarnation(request.getIncarnation()), new CellVersion(request.getFromVersion()))
                : FeedRequest.fromSnapshot();
    }

    private synchronized void askNext() {
        if (asked || !out.isReady() || out.isCancelled()) {
            return;
        }
        asked = true;
        var unused = frames.get().whenComplete(this::send);
    }

    private void send(FeedFrame frame, Throwable failure) {
        synchronized (this) {
            asked = false;
            if (out.isCancelled()) {
                return;
            }
            if (failure != null) {
                end(FailureAnswers.problemOf(failure));
                return;
            }
            if (hasNothingToSay(frame)) {
                end(Problem.noLeader("This replica knows no leader, or is far behind; its feed stands still"));
                return;
            }
            out.onNext(frame);
        }
        askNext();
    }

    private void end(Problem why) {
        leave.run();
        out.onError(ProblemStatus.toException(why));
    }

    /** A heartbeat is true only while this replica can receive changes. */
    private boolean hasNothingToSay(FeedFrame frame) {
        return frame.hasHeartbeat() && !isCurrent.getAsBoolean();
    }

    private static FeedFrame message(dev.cella.state.core.FeedFrame frame) {
        if (frame instanceof dev.cella.state.core.FeedFrame.Snapshot snapshot) {
            return FeedFrame.newBuilder()
                    .setSnapshot(SnapshotChunk.newBuilder()
                            .setIncarnation(snapshot.incarnation().number())
                            .setVersion(snapshot.version().number())
                            .setData(UnsafeByteOperations.unsafeWrap(snapshot.data()))
                            .setLast(snapshot.last()))
                    .build();
        }
        if (frame instanceof dev.cella.state.core.FeedFrame.Changes changes) {
            return FeedFrame.newBuilder()
                    .setChanges(Changes.newBuilder()
                            .setLastVersion(changes.last().number())
                            .setDigests(DigestCheck.message(changes.digests()))
                            .setData(UnsafeByteOperations.unsafeWrap(changes.data())))
                    .build();
        }
        if (frame instanceof dev.cella.state.core.FeedFrame.Heartbeat heartbeat) {
            return FeedFrame.newBuilder()
                    .setHeartbeat(Heartbeat.newBuilder()
                            .setVersion(heartbeat.version().number()))
                    .build();
        }
        dev.cella.state.core.FeedFrame.Resync resync = (dev.cella.state.core.FeedFrame.Resync) frame;
        return FeedFrame.newBuilder()
                .setResync(Resync.newBuilder().setReason(resync.reason()))
                .build();
    }
}
