package dev.cella.state.web;

import dev.cella.client.proto.FeedFrame;
import dev.cella.client.proto.FeedServiceGrpc.FeedServiceStub;
import dev.cella.client.proto.WatchRequest;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Watches the feed, takes one frame, and then pauses until it is told to read on. */
final class PausedWatcher {
    private final Predicate<FeedFrame> isLast;
    private final CompletableFuture<ClientCallStreamObserver<WatchRequest>> call = new CompletableFuture<>();
    private final CompletableFuture<FeedFrame> first = new CompletableFuture<>();
    private final CompletableFuture<FeedFrame> last = new CompletableFuture<>();
    private final AtomicInteger frames = new AtomicInteger();

    private PausedWatcher(Predicate<FeedFrame> isLast) {
        this.isLast = isLast;
    }

    /** {@code isLast} sees every frame as it comes; {@link #awaitLast()} rethrows its exceptions. */
    static PausedWatcher of(RunningCell cell, WatchRequest request, Predicate<FeedFrame> isLast) {
        PausedWatcher watcher = new PausedWatcher(isLast);
        Stubs.of(cell.address(), FeedServiceStub.class).watch(request, watcher.new Frames());
        return watcher;
    }

    int frames() {
        return frames.get();
    }

    void awaitFirst() {
        first.join();
    }

    void readOn() {
        call.join().request(Integer.MAX_VALUE);
    }

    void awaitLast() {
        last.join();
    }

    void cancel() {
        call.join().cancel("seen", null);
    }

    private final class Frames implements ClientResponseObserver<WatchRequest, FeedFrame> {
        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> started) {
            started.disableAutoRequestWithInitial(1);
            call.complete(started);
        }

        @Override
        public void onNext(FeedFrame frame) {
            frames.incrementAndGet();
            first.complete(frame);
            try {
                if (isLast.test(frame)) {
                    last.complete(frame);
                }
            } catch (AssertionError | RuntimeException fault) {
                last.completeExceptionally(fault);
            }
        }

        @Override
        public void onError(Throwable failure) {
            first.completeExceptionally(failure);
            last.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            onError(new IllegalStateException("the feed has no end"));
        }
    }
}
