package dev.cella.state;

import dev.cella.state.core.AppliedEntry;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.LogSyncs;
import dev.cella.state.core.ReplicatedLog;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A log in which nothing happens and that nobody may write. A test overrides what it needs. */
class StillLog implements ReplicatedLog {
    @Override
    public void start(LogListener listener) {}

    @Override
    public CompletableFuture<AppliedEntry> append(byte[] entry) {
        throw new AssertionError("not asked for");
    }

    @Override
    public CompletableFuture<Void> catchUp() {
        throw new AssertionError("not asked for");
    }

    @Override
    public Optional<String> leader() {
        return Optional.empty();
    }

    @Override
    public long entriesBehind() {
        return 0;
    }

    @Override
    public LogSyncs syncs() {
        return LogSyncs.NONE;
    }

    @Override
    public boolean isAlive() {
        return true;
    }

    @Override
    public void close() {}
}
