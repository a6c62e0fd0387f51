package dev.cella.state.web;

import com.google.protobuf.UnsafeByteOperations;
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
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;
import io.grpc.ServerMethodDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/**
 * The feed over gRPC: what private replicas follow.
 *
 * <p>The next frame is asked of the feed only when the last one fitted into what the network has room for, so a slow watcher
 * holds up nobody: it falls behind, and the feed tells it to resync. A replica that is cut off from the others would show its watchers
 * an old cell for ever, as if nothing happened; so instead of a heartbeat it ends their streams, and they ask another. Guarded by its
 * own monitor.
 */
final class WatchStream {
    private final Replica replica;
    private final FeedReader reader;
    private final ServerCallStreamObserver<FeedFrame> out;
    private boolean asked;

    private WatchStream(Replica replica, FeedReader reader, ServerCallStreamObserver<FeedFrame> out) {
        this.replica = replica;
        this.reader = reader;
        this.out = out;
    }

    static ServerMethodDefinition<?, ?> method(Replica replica) {
        return ServerMethodDefinition.create(
                FeedServiceGrpc.getWatchMethod(),
                ServerCalls.asyncServerStreamingCall((request, out) -> open(replica, request, out)));
    }

    private static void open(Replica replica, WatchRequest request, StreamObserver<FeedFrame> responses) {
        FeedReader reader = replica.subscribe(place(request));
        WatchStream stream = new WatchStream(replica, reader, (ServerCallStreamObserver<FeedFrame>) responses);
        stream.out.setOnReadyHandler(stream::askNext);
        stream.out.setOnCancelHandler(reader::close);
        stream.askNext();
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
        var unused = reader.next().whenComplete(this::send);
    }

    private void send(dev.cella.state.core.FeedFrame frame, Throwable failure) {
        synchronized (this) {
            asked = false;
            if (out.isCancelled()) {
                return;
            }
            if (failure != null) {
                out.onError(ProblemStatus.toException(Failures.problemOf(failure)));
                return;
            }
            if (hasNothingToSay(frame)) {
                reader.close();
                out.onError(ProblemStatus.toException(
                        Problem.noLeader("This replica hears of no leader, or is far behind; its feed stands still")));
                return;
            }
            out.onNext(message(frame));
        }
        askNext();
    }

    /** Silence means that nothing has changed only where there is somebody to hear of changes from. */
    private boolean hasNothingToSay(dev.cella.state.core.FeedFrame frame) {
        return frame instanceof dev.cella.state.core.FeedFrame.Heartbeat && !replica.isCurrent();
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
