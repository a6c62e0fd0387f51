package dev.cella.state.ratis;

import dev.cella.state.core.AppliedEntry;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.jspecify.annotations.Nullable;

/**
 * The entries that this process proposed and whose result is unknown, by Ratis' call number. Any thread may use it.
 */
final class PendingEntries {
    private final ClientId client;
    private final Map<Long, CompletableFuture<AppliedEntry>> entries = new ConcurrentHashMap<>();

    PendingEntries(ClientId client) {
        this.client = client;
    }

    CompletableFuture<AppliedEntry> expect(long call) {
        CompletableFuture<AppliedEntry> applied = new CompletableFuture<>();
        entries.put(call, applied);
        return applied;
    }

    /**
     * The request is Ratis' record of an entry that was proposed here; null for entries from elsewhere or from an earlier run.
     */
    void applied(@Nullable RaftClientRequest request, AppliedEntry entry) {
        if (request != null && client.equals(request.getClientId())) {
            CompletableFuture<AppliedEntry> waiting = entries.remove(request.getCallId());
            if (waiting != null) {
                waiting.complete(entry);
            }
        }
    }

    /** A success adds nothing: the entry was applied before. */
    void replied(long call, @Nullable RaftClientReply reply, @Nullable Throwable failure) {
        CompletableFuture<AppliedEntry> waiting = entries.remove(call);
        if (waiting != null) {
            waiting.completeExceptionally(new IOException("no answer to entry " + call, cause(reply, failure)));
        }
    }

    private static @Nullable Throwable cause(@Nullable RaftClientReply reply, @Nullable Throwable failure) {
        return reply == null ? failure : reply.getException();
    }
}
