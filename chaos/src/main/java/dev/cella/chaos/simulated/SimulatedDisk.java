package dev.cella.chaos.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The disk under one replica's log: what is written, and how much of it has been synced. A killed process loses nothing that
 * was written; a power loss loses everything after the last sync. The disk outlives the replica.
 */
final class SimulatedDisk {
    private static final long SYNC_NANOS = 800_000;

    /** An entry of the log; without bytes it is the log's own. */
    static final class LogEntry {
        private final long term;
        private final byte @Nullable [] bytes;

        LogEntry(long term, byte @Nullable [] bytes) {
            this.term = term;
            this.bytes = bytes;
        }

        long term() {
            return term;
        }

        byte @Nullable [] bytes() {
            return bytes;
        }
    }

    private final List<LogEntry> entries = new ArrayList<>();
    private long firstIndex;
    private long purgedTerm;
    private long synced = -1;
    private long term;
    private Optional<String> votedFor = Optional.empty();
    private long slowNanos;
    private boolean failing;
    private boolean full;
    private boolean lying;
    private boolean wiped;
    private long faultsMet;

    /** Before index 0 the log has no entry. */
    long firstIndex() {
        return firstIndex;
    }

    long lastIndex() {
        return firstIndex + entries.size() - 1;
    }

    /** The term at that index: an entry's, or of the last that was purged. */
    long termAt(long index) {
        return index < firstIndex
                ? purgedTerm
                : entries.get((int) (index - firstIndex)).term();
    }

    boolean has(long index) {
        return index >= firstIndex && index <= lastIndex();
    }

    LogEntry entry(long index) {
        return entries.get((int) (index - firstIndex));
    }

    long synced() {
        return Math.min(synced, lastIndex());
    }

    long term() {
        return term;
    }

    Optional<String> votedFor() {
        return votedFor;
    }

    /** Written and synced at once: a vote must never be given twice. */
    void vote(long inTerm, Optional<String> candidate) {
        term = inTerm;
        votedFor = candidate;
    }

    void append(LogEntry entry) {
        entries.add(entry);
    }

    /** Drops that entry and all after it. */
    void truncateFrom(long index) {
        while (lastIndex() >= index && lastIndex() >= firstIndex) {
            entries.remove(entries.size() - 1);
        }
        synced = Math.min(synced, lastIndex());
    }

    void purgeUpTo(long index) {
        int gone = (int) Math.min(entries.size(), index - firstIndex + 1);
        if (gone > 0) {
            purgedTerm = entries.get(gone - 1).term();
            entries.subList(0, gone).clear();
            firstIndex += gone;
        }
    }

    /** A checkpoint takes the place of the log up to there. */
    void beginAfter(long index, long termThere) {
        entries.clear();
        firstIndex = index + 1;
        purgedTerm = termThere;
        synced = index;
    }

    void syncedUpTo(long index) {
        if (!lying) {
            synced = Math.max(synced, index);
        } else {
            faultsMet++;
        }
    }

    long syncNanos() {
        faultsMet += slowNanos > 0 ? 1 : 0;
        return SYNC_NANOS + slowNanos;
    }

    /** Returns whether a write or a sync fails now. */
    boolean fails() {
        faultsMet += failing || full ? 1 : 0;
        return failing || full;
    }

    /** How often the disk was used while it was faulty. */
    long faultsMet() {
        return faultsMet;
    }

    void slow(long nanos) {
        slowNanos = nanos;
    }

    void fail(boolean fail) {
        failing = fail;
    }

    void fill(boolean isFull) {
        full = isFull;
    }

    /** It reports a sync that did not happen. */
    void lie(boolean lies) {
        lying = lies;
        if (!lies) {
            synced = lastIndex();
        }
    }

    void heal() {
        slow(0);
        fail(false);
        fill(false);
        lie(false);
    }

    /** Answers how many entries were lost. */
    long losePower() {
        long lost = lastIndex() - synced();
        truncateFrom(synced() + 1);
        return lost;
    }

    void wipe() {
        entries.clear();
        firstIndex = 0;
        purgedTerm = 0;
        synced = -1;
        wiped = true;
    }

    /** It was wiped, and what the others had committed since is not all on it yet: its replica may not vote. */
    boolean lacksEntries() {
        return wiped;
    }

    void hasAllEntries() {
        wiped = false;
    }
}
