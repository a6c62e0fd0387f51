package dev.cella.client.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnsafeByteOperations;
import dev.cella.client.proto.FeedFrame;
import dev.cella.client.proto.FeedServiceGrpc.FeedServiceImplBase;
import dev.cella.client.proto.SnapshotChunk;
import dev.cella.client.proto.WatchRequest;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class CellConnectionTest {
    private static final int MORE_THAN_64_MIB = 65 << 20;

    /** A feed whose snapshot is one large piece. */
    private static final class LargeSnapshot extends FeedServiceImplBase {
        @Override
        public void watch(WatchRequest request, StreamObserver<FeedFrame> out) {
            out.onNext(FeedFrame.newBuilder()
                    .setSnapshot(SnapshotChunk.newBuilder()
                            .setData(UnsafeByteOperations.unsafeWrap(new byte[MORE_THAN_64_MIB])))
                    .build());
            out.onCompleted();
        }
    }

    /** Many large jobs, of servers with a large heap. */
    @Test
    void largePieceOfASnapshot_arrives() throws Exception {
        CompletableFuture<Integer> length = new CompletableFuture<>();
        try (FakeServer server = new FakeServer(new LargeSnapshot());
                CellConnection connection = CellConnection.open(server.address())) {
            connection.server().feed().watch(WatchRequest.getDefaultInstance(), new StreamObserver<>() {
                @Override
                public void onNext(FeedFrame frame) {
                    length.complete(frame.getSnapshot().getData().size());
                }

                @Override
                public void onError(Throwable failure) {
                    length.completeExceptionally(failure);
                }

                @Override
                public void onCompleted() {}
            });

            assertThat(length.get(2, TimeUnit.MINUTES)).isEqualTo(MORE_THAN_64_MIB);
        }
    }
}
