package dev.cella.client.live;

import com.google.protobuf.ByteString;
import dev.cella.client.Problem;
import dev.cella.client.proto.Changes;
import dev.cella.client.proto.FeedFrame;
import dev.cella.client.proto.FeedServiceGrpc.FeedServiceImplBase;
import dev.cella.client.proto.Heartbeat;
import dev.cella.client.proto.Resync;
import dev.cella.client.proto.SnapshotChunk;
import dev.cella.client.proto.WatchRequest;
import dev.cella.transactions.cell.tables.CellDigests;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A feed that says what a test tells it to. */
final class FakeFeed extends FeedServiceImplBase {
    private final BlockingQueue<Watcher> watchers = new LinkedBlockingQueue<>();

    @Override
    public void watch(WatchRequest request, StreamObserver<FeedFrame> out) {
        ((ServerCallStreamObserver<FeedFrame>) out).setOnCancelHandler(() -> {});
        watchers.add(new Watcher(request, out));
    }

    /** The next watcher that comes. */
    Watcher next() throws InterruptedException {
        Watcher watcher = watchers.poll(120, TimeUnit.SECONDS);
        if (watcher == null) {
            throw new AssertionError("no watcher came");
        }
        return watcher;
    }

    /** One watcher, with where it wants to begin. */
    record Watcher(WatchRequest request, StreamObserver<FeedFrame> out) {
        void snapshot(TestCell cell) {
            List<byte[]> chunks = cell.snapshot();
            for (int i = 0; i < chunks.size(); i++) {
                chunk(cell, chunks.get(i), i == chunks.size() - 1);
            }
        }

        void chunk(TestCell cell, byte[] data, boolean last) {
            out.onNext(FeedFrame.newBuilder()
                    .setSnapshot(SnapshotChunk.newBuilder()
                            .setIncarnation(cell.incarnation().number())
                            .setVersion(cell.version().number())
                            .setData(ByteString.copyFrom(data))
                            .setLast(last))
                    .build());
        }

        void changes(long lastVersion, byte[] data) {
            out.onNext(FeedFrame.newBuilder()
                    .setChanges(Changes.newBuilder().setLastVersion(lastVersion).setData(ByteString.copyFrom(data)))
                    .build());
        }

        /** Changes, and the digests that the cell claims for them. */
        void changes(long lastVersion, byte[] data, CellDigests digests) {
            out.onNext(FeedFrame.newBuilder()
                    .setChanges(Changes.newBuilder()
                            .setLastVersion(lastVersion)
                            .setData(ByteString.copyFrom(data))
                            .setDigests(DigestCheck.message(digests)))
                    .build());
        }

        void resync() {
            out.onNext(FeedFrame.newBuilder()
                    .setResync(Resync.newBuilder().setReason("test"))
                    .build());
        }

        void heartbeat(long version) {
            out.onNext(FeedFrame.newBuilder()
                    .setHeartbeat(Heartbeat.newBuilder().setVersion(version))
                    .build());
        }

        void drop() {
            out.onError(ProblemStatus.toException(Problem.noLeader("test")));
        }
    }
}
