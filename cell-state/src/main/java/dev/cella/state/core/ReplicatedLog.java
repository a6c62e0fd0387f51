package dev.cella.state.core;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An ordered list of entries that a majority has on disk before anyone applies them. Two exist: the one on Ratis, and
 * the simulated one that tests are run under.
 */
public interface ReplicatedLog extends AutoCloseable {
    /**
     * Begins to deliver committed entries to the listener, from the one after {@link LogListener#newestCheckpoint()}.
     * Called once.
     */
    void start(LogListener listener) throws IOException, StartRefusedException;

    /**
     * Proposes an entry. Entries proposed one after another by one thread stand in the log in that order. The future
     * holds what the listener made of the entry, as soon as it is applied here. If it fails the entry may be committed
     * all the same.
     */
    CompletableFuture<AppliedEntry> append(byte[] entry);

    /**
     * Completes when all that was committed anywhere when it was called is applied here; asks a majority for it. It fails
     * where that cannot be known: no majority is in reach, or this member cannot ask the leader.
     */
    CompletableFuture<Void> catchUp();

    /** Whether a member that does not lead can do that. */
    boolean followersCatchUp();

    /** The name of the member that this one takes for the leader; nothing where it knows of none. */
    Optional<String> leader();

    /** The members of the log as it is now; empty where nobody but this one can be one. */
    default List<LogPeer> peers() {
        return List.of();
    }

    /** Who is a member and how far behind, as the leader sees it. */
    default List<PeerStanding> standings() {
        return List.of();
    }

    /**
     * Makes these the members, which the leader alone can do. A new one is brought up to date first, and counts only then. The
     * future fails where another change is under way, or a new member does not come up.
     */
    default CompletableFuture<Void> changePeers(List<LogPeer> next) {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("the members of this log never change"));
    }

    /** Hands the lead over to the member of that id. */
    default CompletableFuture<Void> transferLead(String id) {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("the members of this log never change"));
    }

    /** How many committed entries it knows of that are not applied here yet. */
    long entriesBehind();

    /** How long this member takes to bring the log to its disk. */
    LogSyncs syncs();

    /** Whether it can still go on. It is asked now and then, because one that fails does not always say so. */
    boolean isAlive();

    @Override
    void close() throws IOException;
}
