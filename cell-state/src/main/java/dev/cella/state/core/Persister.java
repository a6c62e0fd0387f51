package dev.cella.state.core;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Brings the cell to the disk behind the apply: makes a checkpoint whenever enough log has been applied since the last,
 * and keeps the cold rows that are not in one yet.
 *
 * <p>Between two entries the apply thread seals what the checkpoint is of: it copies the hot tables and puts a new
 * overlay in place of the full one. All writing is done by the persister's thread, which never holds up the apply; while
 * one checkpoint is written no other is begun. A cold row is read from the overlay, from the sealed one, from the
 * store: it gets into each before it leaves the one before.
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

    /** Held while a checkpoint is written. */
    private final Object writing = new Object();

    /** Of the apply thread. */
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

    /** Before the log is started, and by the apply thread after {@link #pause}. */
    void restore() throws IOException {
        overlay = new ColdChanges();
        sealed = null;
        logBytesSince = 0;
        store.restore(cell::load).ifPresent(head -> newest = head.position());
        paused = false;
    }

    /** Makes no further checkpoint until the next {@link #restore}; one under way is finished when it returns. */
    void pause() {
        synchronized (writing) {
            paused = true;
        }
    }

    List<Path> newestFiles() {
        return store.newestFiles();
    }

    /** Where the apply thread says what becomes of cold rows. */
    ColdChanges coldRows() {
        return overlay;
    }

    /** By the apply thread, between two entries. */
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
                writeUnlessPaused(checkpoint, changes);
            }
        } catch (IOException | RuntimeException failure) {
            if (!closed) {
                departure.leave(
                        "cannot write the checkpoint at " + checkpoint.head().position(), failure);
            }
        }
    }

    private void writeUnlessPaused(SealedCell checkpoint, ColdChanges changes) throws IOException {
        if (!paused) {
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

    /** A checkpoint under way is finished first, or fails without a word. */
    void close() {
        closed = true;
        store.close();
    }
}
