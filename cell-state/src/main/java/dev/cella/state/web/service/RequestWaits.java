package dev.cella.state.web.service;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The waits of one request. They end when its client leaves: otherwise the cell would be asked after each entry for a client
 * that nobody can answer.
 */
final class RequestWaits {
    private final Optional<CompletableFuture<Throwable>> left;

    private RequestWaits(Optional<CompletableFuture<Throwable>> left) {
        this.left = left;
    }

    /** Call this on the thread that handles the request. */
    static RequestWaits ofThisRequest() {
        return new RequestWaits(Optional.ofNullable(ServiceRequestContext.currentOrNull())
                .map(ServiceRequestContext::whenRequestCancelled));
    }

    /** Returns the wait itself. */
    <T> CompletableFuture<T> whileAsked(CompletableFuture<T> wait) {
        left.ifPresent(leaving -> {
            var unused =
                    leaving.thenAccept(cause -> wait.completeExceptionally(Problem.unavailable("The client has left")));
        });
        return wait;
    }
}
