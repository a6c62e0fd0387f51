package dev.cella.state.core;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An ordered list of entries that a majority has on disk before anybody applies them. There are two implementations: one on
 * Ratis, and a simulated one for tests.
 */
public interface ReplicatedLog extends AutoCloseable {
    /**
     * Starts to deliver committed entries to the listener, after {@link LogListener#newestCheckpoint()}. Called once.
     */
    void start(LogListener listener) throws IOException, StartRefusedException;

    /**
     * Proposes an entry. Entries that one thread proposes one after another stand in the log in that order. The future holds
     * the listener's result as soon as the entry is applied here. If the future fails, the entry may still be committed.
     */
    CompletableFuture<AppliedEntry> append(byte[] entry);

    /**
     * Completes when everything that was committed anywhere at the time of the call is applied here. Each call asks a majority.
     * It fails if no majority is in reach, and may fail if this member does not lead.
     */
    CompletableFuture<Void> catchUp();

    /** The name of the leader, as far as this member knows. */
    Optional<String> leader();

    /** The members of the log as it is now; empty if this log can have only one member. */
    default List<LogPeer> peers() {
        return List.of();
    }

    /** The members and how far behind they are, as the leader sees it. */
    default List<PeerStanding> standings() {
        return List.of();
    }

    /**
     * Changes the members to these; only the leader can. A new member is first brought up to date, and counts only then. The
     * future fails if another change is under way, or if a new member does not catch up.
     */
    default CompletableFuture<Void> changePeers(List<LogPeer> next) {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("the members of this log never change"));
    }

    /**
     * Up to which entry each member has confirmed the log, by the member's id, as far as this member knows. It survives a
     * restart. The entry of this member itself is never before one of which this member has told others.
     */
    default Map<String, Long> confirmed() {
        return Map.of();
    }

    /** Stores what {@link #confirmed} says, for the next start. */
    default void keepConfirmed() throws IOException {}

    /**
     * The member that should lead after this one: it answers, and lacks the fewest entries. Empty if this member does not lead
     * or if no other one is there.
     */
    default Optional<LogPeer> successor() {
        return Optional.empty();
    }

    /** Transfers the leadership to the member with that id, and completes when that one is seen to lead. */
    default CompletableFuture<Void> transferLead(String id) {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("the members of this log never change"));
    }

    /** The number of committed entries, as far as this member knows, that are not applied here yet. */
    long entriesBehind();

    /** How long this member takes to flush the log to disk. */
    LogSyncs syncs();

    /**
     * Returns whether it can still go on. The replica asks now and then, because a failing log does not always report the
     * failure.
     */
    boolean isAlive();

    @Override
    void close() throws IOException;
}
