package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.FeedFrame;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class WatchStreamTest {
    private final AtomicInteger left = new AtomicInteger();
    private final Watcher watcher = new Watcher();

    @Test
    void send_afterTheFeedFailed_leavesTheFeed() {
        stream(() -> true, CompletableFuture.failedFuture(new IllegalStateException("the feed")))
                .open();
        assertThat(watcher.failures).hasSize(1);
        assertThat(left).hasValue(1);
    }

    @Test
    void send_heartbeatOfAReplicaThatIsBehind_leavesTheFeed() {
        FeedFrame heartbeat = FeedFrame.newBuilder()
                .setHeartbeat(dev.cella.client.proto.Heartbeat.getDefaultInstance())
                .build();
        stream(() -> false, CompletableFuture.completedFuture(heartbeat)).open();
        assertThat(watcher.failures).hasSize(1);
        assertThat(left).hasValue(1);
    }

    private WatchStream stream(BooleanSupplier isCurrent, CompletableFuture<FeedFrame> frame) {
        return new WatchStream(isCurrent, () -> frame, left::incrementAndGet, watcher);
    }

    /** A client that takes all it is given. */
    private static final class Watcher extends ServerCallStreamObserver<FeedFrame> {
        private final List<Throwable> failures = new ArrayList<>();

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {}

        @Override
        public void setCompression(String compression) {}

        @Override
        public boolean isReady() {
            return failures.isEmpty();
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {}

        @Override
        public void request(int count) {}

        @Override
        public void setMessageCompression(boolean enable) {}

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void onNext(FeedFrame frame) {}

        @Override
        public void onError(Throwable failure) {
            failures.add(failure);
        }

        @Override
        public void onCompleted() {}
    }
}
