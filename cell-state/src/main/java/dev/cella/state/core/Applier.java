package dev.cella.state.core;

import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.UnknownLevelException;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.CommandResult;
import java.util.List;

/**
 * Applies committed entries to the common copy of the cell, one after another, and informs the feed, the log of conflicts, the
 * waiting callers and the persister.
 *
 * <p>A command that cannot be decoded, or that the cell refuses, gets an answer and takes its version like any other. Three
 * things have no answer: bytes that are no entry, an entry of a newer program, and a cell that contradicts itself. Then
 * nothing further is applied and the replica leaves, because every later answer could be wrong.
 *
 * <p>Owned by the log's apply thread. It reads no disk and no cache, and it reads a clock only to measure the time it took.
 */
final class Applier {
    private final CommonCell cell;
    private final Persister persister;
    private final Feed feed;
    private final PastKeeper past;
    private final Departure departure;
    private final Runnable afterwards;
    private final Time time;
    private final ReplicaStats stats;
    private boolean broken;

    /** The past of the cell, kept for people. */
    interface PastKeeper {
        /** Before the entry is applied, for what the cell does not know afterwards. */
        void entryComes(Entry entry);

        void entryApplied(Entry entry, List<CommandResult> results, byte[] changes);
    }

    /** After each entry {@code past} gets it with its results and changes, and {@code afterwards} runs. Both must be quick. */
    Applier(
            CommonCell cell,
            Persister persister,
            Feed feed,
            PastKeeper past,
            Departure departure,
            Runnable afterwards,
            Time time,
            ReplicaStats stats) {
        this.cell = cell;
        this.persister = persister;
        this.feed = feed;
        this.past = past;
        this.departure = departure;
        this.afterwards = afterwards;
        this.time = time;
        this.stats = stats;
    }

    AppliedEntry committed(LogPosition position, byte[] bytes) {
        if (broken) {
            throw new IllegalStateException("nothing is applied after an entry that could not be");
        }
        try {
            return apply(position, bytes);
        } catch (UnknownLevelException newer) {
            throw leave("the log was written by a newer program: " + newer.getMessage(), newer);
        } catch (RuntimeException failure) {
            throw leave("cannot apply the log at " + position, failure);
        }
    }

    private RuntimeException leave(String message, RuntimeException failure) {
        broken = true;
        departure.leave(message, failure);
        return failure;
    }

    private AppliedEntry apply(LogPosition position, byte[] bytes) {
        long begin = time.monotonicNanos();
        Entry entry = EntryCodec.decode(bytes);
        past.entryComes(entry);
        CellVersion before = cell.version();
        List<CommandResult> results = cell.apply(entry, persister.coldRows());
        CellVersion last = cell.version();
        byte[] changes = cell.takeChanges();
        feed.publish(cell.incarnation(), before, last, cell.digests(), changes);
        past.entryApplied(entry, results, changes);
        stats.applied(bytes.length, time.monotonicNanos() - begin, results);
        persister.entryApplied(position, bytes.length);
        afterwards.run();
        return new AppliedEntry(position, last, results);
    }
}
