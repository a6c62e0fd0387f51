package dev.cella.state.web.service;

import dev.cella.state.web.access.Caller;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * One thing at a time with each machine that waits for its agent since a restore. Its registration takes several commands, and
 * so does a drain. Between the commands of the one, the other would read a mark that is about to change.
 *
 * <p>Any thread may call it.
 */
final class RestoreTurns {
    private final Map<String, CompletableFuture<Void>> last = new ConcurrentHashMap<>();

    /** Begins the work when the work before it on that machine has ended, also if that has failed. */
    <T> CompletableFuture<T> next(String machine, Supplier<CompletableFuture<T>> work) {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        CompletableFuture<Void> before = last.put(machine, turn);
        CompletableFuture<Void> free = before == null ? CompletableFuture.completedFuture(null) : before;
        return Caller.carry(free).thenCompose(begin -> work.get()).whenComplete((done, failure) -> {
            last.remove(machine, turn);
            turn.complete(null);
        });
    }
}
