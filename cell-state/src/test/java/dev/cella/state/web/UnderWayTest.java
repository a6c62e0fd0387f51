package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class UnderWayTest {
    private final UnderWay underWay = new UnderWay();

    @Test
    void ended_withNothingOwed_isDone() {
        var unused = underWay.track(CompletableFuture.completedFuture("answered"));

        assertThat(underWay.ended()).isCompleted();
    }

    @Test
    void ended_isDoneAfterTheLastAnswer_alsoIfOneFailed() {
        CompletableFuture<String> first = underWay.track(new CompletableFuture<>());
        CompletableFuture<String> second = underWay.track(new CompletableFuture<>());
        CompletableFuture<Void> ended = underWay.ended();

        first.completeExceptionally(new IllegalStateException("lost"));
        assertThat(ended).isNotDone();

        second.complete("answered");
        assertThat(ended).isCompleted();
    }

    @Test
    void ended_doesNotWaitForLaterOnes() {
        CompletableFuture<Void> ended = underWay.ended();

        CompletableFuture<String> unused = underWay.track(new CompletableFuture<>());

        assertThat(ended).isCompleted();
        assertThat(underWay.ended()).isNotDone();
    }
}
