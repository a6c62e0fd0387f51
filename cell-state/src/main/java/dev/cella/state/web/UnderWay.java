package dev.cella.state.web;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The answers that a server owes. A server that stops waits for them before it closes its connections. */
final class UnderWay {
    private final AtomicLong tracked = new AtomicLong();
    private final Map<Long, CompletableFuture<?>> owed = new ConcurrentHashMap<>();

    /** Returns the answer itself. */
    <T> CompletableFuture<T> track(CompletableFuture<T> answer) {
        Long number = tracked.incrementAndGet();
        owed.put(number, answer);
        var unused = answer.whenComplete((done, failure) -> owed.remove(number));
        return answer;
    }

    /** Completes when each answer that is owed now is there, or has failed. */
    CompletableFuture<Void> ended() {
        return CompletableFuture.allOf(owed.values().toArray(CompletableFuture[]::new))
                .handle((done, failure) -> null);
    }
}
