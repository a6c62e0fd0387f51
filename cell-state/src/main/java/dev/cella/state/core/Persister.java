package dev.cella.state.core;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Writes the cell to disk behind the apply. It makes a checkpoint whenever enough log was applied since the last one, and
 * keeps the cold rows that are in no checkpoint yet.
 *
 * <p>Between two entries, the apply thread seals the content of a checkpoint: it copies the hot tables and replaces the full
 * overlay with a new one. The persister's thread does all writing and never delays the apply. Only one checkpoint is written
 * at a time. A cold row is read from the overlay, then the sealed one, then the store: it enters each before it leaves the
 * previous one.
 */
final class Persister {
    private final CellStore store;
    private final CommonCell cell;
    private final Executor thread;
    private final long checkpointLogBytes;
    private final Departure departure;
    private final Time time;
    private final ReplicaStats stats;

    private volatile ColdChanges overlay = new ColdChanges();
    private volatile @Nullable ColdChanges sealed;
    private volatile LogPosition newest = LogPosition.START;
    private volatile boolean closed;
    private volatile boolean paused;

    /** How many times a checkpoint was restored. Each one may replace cold rows. */
    private final AtomicInteger restored = new AtomicInteger();

    /** Held while a checkpoint is written. */
    private final Object writing = new Object();

    /** Owned by the apply thread. */
    private long logBytesSince;

    Persister(
            CellStore store,
            CommonCell cell,
            Executor thread,
            long checkpointLogBytes,
            Departure departure,
            Time time,
            ReplicaStats stats) {
        this.store = store;
        this.cell = cell;
        this.thread = thread;
        this.checkpointLogBytes = checkpointLogBytes;
        this.departure = departure;
        this.time = time;
        this.stats = stats;
    }

    /**
     * Called before the log starts, and by the apply thread after {@link #pause}. If no checkpoint is whole, the newest one is at
     * the start of the log.
     */
    void restore() throws IOException {
        newest = store.restore(cell::load).map(CheckpointHead::position).orElse(LogPosition.START);
        // Until here the rows that are in no checkpoint can be read.
        overlay = new ColdChanges();
        sealed = null;
        logBytesSince = 0;
        restored.incrementAndGet();
        paused = false;
    }

    /**
     * Makes no further checkpoint until the next {@link #restore}. When this returns, a checkpoint under way is finished.
     */
    void pause() {
        synchronized (writing) {
            paused = true;
        }
    }

    List<Path> newestFiles() {
        return store.newestFiles();
    }

    /** The overlay to which the apply thread writes changes of cold rows. */
    ColdChanges coldRows() {
        return overlay;
    }

    /** Called by the apply thread, between two entries. */
    void entryApplied(LogPosition position, int logBytes) {
        logBytesSince += logBytes;
        if (logBytesSince >= checkpointLogBytes && sealed == null && !paused) {
            logBytesSince = 0;
            seal(position);
        }
    }

    private void seal(LogPosition position) {
        long begin = time.monotonicNanos();
        ColdChanges changes = overlay;
        SealedCell checkpoint = cell.seal(position);
        sealed = changes;
        overlay = new ColdChanges();
        thread.execute(() -> write(checkpoint, changes));
        stats.sealed(time.monotonicNanos() - begin);
    }

    private void write(SealedCell checkpoint, ColdChanges changes) {
        try {
            synchronized (writing) {
                writeIfSealed(checkpoint, changes);
            }
        } catch (IOException | RuntimeException failure) {
            if (!closed) {
                departure.leave(
                        "cannot write the checkpoint at " + checkpoint.head().position(), failure);
            }
        }
    }

    /** Writes nothing if another replica's checkpoint has come since it was sealed, or is coming: that one is newer. */
    private void writeIfSealed(SealedCell checkpoint, ColdChanges changes) throws IOException {
        if (!paused && sealed == changes) {
            long begin = time.monotonicNanos();
            long bytes = store.write(checkpoint, changes);
            stats.checkpointWritten(time.monotonicNanos() - begin, bytes);
            newest = checkpoint.head().position();
            sealed = null;
        }
    }

    Optional<byte[]> cold(ColdKey key) {
        Optional<ColdChanges.Change> change = overlay.find(key).or(() -> findSealed(key));
        return change.isPresent() ? change.get().row() : store.cold(key);
    }

    /** The number of the present store's content, for {@link #cold(ColdKey, int)}. */
    int restored() {
        return restored.get();
    }

    /** As {@link #cold(ColdKey)}, for a caller who needs several rows of one cell. */
    Optional<byte[]> cold(ColdKey key, int since) {
        Optional<byte[]> row = cold(key);
        if (paused || restored.get() != since) {
            throw new StoreUnavailableException("another replica's checkpoint comes or has come");
        }
        return row;
    }

    private Optional<ColdChanges.Change> findSealed(ColdKey key) {
        ColdChanges changes = sealed;
        return changes == null ? Optional.empty() : changes.find(key);
    }

    LogPosition newestCheckpoint() {
        return newest;
    }

    LogPosition purgeableUpTo() {
        return store.olderCheckpoint();
    }

    /** A checkpoint under way is finished first, or fails silently. */
    void close() {
        closed = true;
        store.close();
    }
}
