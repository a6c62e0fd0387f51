package dev.cella.state.core;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a replica keeps on disk besides its log: complete checkpoints, and the cold rows as of the newest of them. Two
 * exist: the one on RocksDB, and the one in memory that tests use.
 *
 * <p>{@link #restore} is called first, and again when a checkpoint came from another replica. {@link #write} is called by the persister's thread, {@link #cold} by any.
 */
public interface CellStore extends AutoCloseable {
    /**
     * Loads the newest checkpoint that is whole, also in place of what was loaded before; its cold rows are the store's from now on. One whose files are damaged,
     * or that the loader refuses, is put aside, saying so, and the older one is tried.
     *
     * @return the head of what was loaded; nothing where there is no whole checkpoint
     */
    Optional<CheckpointHead> restore(CheckpointLoader loader) throws IOException;

    /** Takes a checkpoint's hot tables. */
    @FunctionalInterface
    interface CheckpointLoader {
        /** Refuses, by throwing, what is not what the head says, and has then taken nothing of it. */
        void load(Checkpoint checkpoint) throws DamagedCheckpointException;
    }

    /** The row as of the newest checkpoint. */
    Optional<byte[]> cold(ColdKey key);

    /**
     * Makes a checkpoint. When it returns this one is complete on disk, and all but the two newest are gone.
     *
     * @return how many bytes of hot pages it had to write: those that changed since the checkpoint before, if it can
     */
    long write(SealedCell sealed, ColdChanges changes) throws IOException;

    /** Where the log may be forgotten up to: the position of the older of two complete checkpoints. */
    LogPosition olderCheckpoint();

    /** The files of the newest complete checkpoint; they may be gone when they are read. */
    List<Path> newestFiles();

    @Override
    void close();
}
