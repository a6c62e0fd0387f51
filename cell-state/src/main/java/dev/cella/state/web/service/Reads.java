package dev.cella.state.web.service;

import dev.cella.client.Problem;
import dev.cella.state.core.Replica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.CellVersion;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Reads the cell as fresh as the request asks. */
final class Reads {
    private final Replica replica;

    Reads(Replica replica) {
        this.replica = replica;
    }

    <T> CompletableFuture<Shown<T>> read(Freshness freshness, Function<CellView, Shown<T>> question) {
        RequestWaits waits = RequestWaits.ofThisRequest();
        return catchUp(freshness)
                .thenCompose(caughtUp -> reach(freshness, waits))
                .thenCompose(reached -> readChanged(freshness, question, waits));
    }

    /**
     * The same for an answer that costs more than to know whether it changed. While a client waits for a change, every
     * entry asks only for the version; the answer is made once.
     *
     * @param changedVersion when the answer last changed
     */
    <T> CompletableFuture<Shown<T>> read(
            Freshness freshness, ToLongFunction<CellView> changedVersion, Function<CellView, Shown<T>> question) {
        return changed(freshness, changedVersion).thenApply(changed -> replica.read(question));
    }

    /**
     * Waits until the replica is as fresh as the request asks, for an answer that is made outside of the cell's lock.
     *
     * @param changedVersion when the answer last changed
     */
    CompletableFuture<?> changed(Freshness freshness, ToLongFunction<CellView> changedVersion) {
        RequestWaits waits = RequestWaits.ofThisRequest();
        return catchUp(freshness)
                .thenCompose(caughtUp -> reach(freshness, waits))
                .thenCompose(reached -> awaitChange(freshness, changedVersion, waits));
    }

    private CompletableFuture<?> awaitChange(
            Freshness freshness, ToLongFunction<CellView> changedVersion, RequestWaits waits) {
        if (freshness.changedAfter().isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        long after = freshness.changedAfter().getAsLong();
        return waits.whileAsked(
                replica.await(changedVersion::applyAsLong, changed -> changed > after, freshness.waitMax()));
    }

    private CompletableFuture<Void> catchUp(Freshness freshness) {
        return freshness.linearizable()
                ? replica.catchUp()
                        .orTimeout(freshness.waitMax().toNanos(), TimeUnit.NANOSECONDS)
                        .exceptionally(this::notCaughtUp)
                : CompletableFuture.completedFuture(null);
    }

    /** Only over gRPC such a read comes to a replica that knows of another leader: the client turns to that one. */
    private Void notCaughtUp(Throwable failure) {
        Problem unknown = Problem.noLeader("Nobody can say at the moment what was acknowledged last")
                .withHint("ask again, or without linearizable for what this replica shows");
        throw replica.otherLeader().map(unknown::withLeader).orElse(unknown);
    }

    /** The version that is shown, once it is as late as requested; fails if it does not come in time. */
    CompletableFuture<CellVersion> reach(Freshness freshness) {
        return reach(freshness, RequestWaits.ofThisRequest());
    }

    private CompletableFuture<CellVersion> reach(Freshness freshness, RequestWaits waits) {
        CellVersion min = new CellVersion(freshness.minVersion().orElse(0));
        return waits.whileAsked(replica.awaitVersion(min, freshness.waitMax())).thenApply(shown -> {
            if (shown.compareTo(min) < 0) {
                throw Problem.versionNotReached("The cell is at version " + shown + ", before " + min);
            }
            return shown;
        });
    }

    private <T> CompletableFuture<Shown<T>> readChanged(
            Freshness freshness, Function<CellView, Shown<T>> question, RequestWaits waits) {
        if (freshness.changedAfter().isEmpty()) {
            return CompletableFuture.completedFuture(replica.read(question));
        }
        long after = freshness.changedAfter().getAsLong();
        return waits.whileAsked(replica.await(question, shown -> shown.changedVersion() > after, freshness.waitMax()));
    }
}
