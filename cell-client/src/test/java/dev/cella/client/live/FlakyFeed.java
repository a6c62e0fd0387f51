package dev.cella.client.live;

import com.google.protobuf.ByteString;
import dev.cella.client.Problem;
import dev.cella.client.proto.Changes;
import dev.cella.client.proto.FeedFrame;
import dev.cella.client.proto.FeedServiceGrpc.FeedServiceImplBase;
import dev.cella.client.proto.Resync;
import dev.cella.client.proto.SnapshotChunk;
import dev.cella.client.proto.WatchRequest;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * One replica's feed at its worst: it lags by as much as it likes, refuses, forgets, repeats itself and ends every
 * stream soon. Its changes are still correct: one history, in order, without a gap.
 */
final class FlakyFeed extends FeedServiceImplBase {
    /** The cell after one version: a snapshot, and the changes that led to it. */
    record Version(long number, List<byte[]> snapshot, ByteString changes) {}

    private final long incarnation;
    private final List<Version> history;
    private final Random random;
    private final Supplier<URI> rumour;
    private int applied;

    /** @param rumour the server that it names as the leader */
    FlakyFeed(long incarnation, List<Version> history, long seed, Supplier<URI> rumour) {
        this.incarnation = incarnation;
        this.history = history;
        this.random = new Random(seed);
        this.rumour = rumour;
    }

    @Override
    public synchronized void watch(WatchRequest request, StreamObserver<FeedFrame> out) {
        ((ServerCallStreamObserver<FeedFrame>) out).setOnCancelHandler(() -> {});
        applied = Math.min(history.size() - 1, applied + random.nextInt(6));
        switch (random.nextInt(5)) {
            case 0 -> refuse(out, Problem.noLeader("test").withLeader(rumour.get()));
            case 1 -> refuse(out, Problem.unavailable("test"));
            case 2 -> {
                resync(out);
                snapshot(out);
                refuse(out, Problem.unavailable("test"));
            }
            default -> {
                serve(request, out);
                refuse(out, Problem.noLeader("test"));
            }
        }
    }

    private static void refuse(StreamObserver<FeedFrame> out, Problem problem) {
        out.onError(ProblemStatus.toException(problem));
    }

    private void serve(WatchRequest request, StreamObserver<FeedFrame> out) {
        if (!request.hasFromVersion()) {
            snapshot(out);
            return;
        }
        int from = Math.max(0, indexOf(request.getFromVersion()) - random.nextInt(3));
        for (int place = from + 1; place <= applied; place++) {
            changes(out, history.get(place));
        }
    }

    private int indexOf(long version) {
        return (int) (version - history.get(0).number());
    }

    private void resync(StreamObserver<FeedFrame> out) {
        out.onNext(FeedFrame.newBuilder()
                .setResync(Resync.newBuilder().setReason("test"))
                .build());
    }

    private void snapshot(StreamObserver<FeedFrame> out) {
        Version shown = history.get(applied);
        for (int place = 0; place < shown.snapshot().size(); place++) {
            out.onNext(FeedFrame.newBuilder()
                    .setSnapshot(SnapshotChunk.newBuilder()
                            .setIncarnation(incarnation)
                            .setVersion(shown.number())
                            .setData(ByteString.copyFrom(shown.snapshot().get(place)))
                            .setLast(place == shown.snapshot().size() - 1))
                    .build());
        }
    }

    private static void changes(StreamObserver<FeedFrame> out, Version version) {
        out.onNext(FeedFrame.newBuilder()
                .setChanges(
                        Changes.newBuilder().setLastVersion(version.number()).setData(version.changes()))
                .build());
    }
}
