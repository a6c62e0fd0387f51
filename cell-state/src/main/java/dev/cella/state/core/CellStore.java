package dev.cella.state.core;

import dev.cella.transactions.codec.UnknownLevelException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The part of a replica's state that is on disk besides its log: complete checkpoints, and the cold rows as of the newest one.
 * There are two implementations: one on RocksDB, and one in memory for tests.
 *
 * <p>{@link #restore} is called first, and again when a checkpoint came from another replica. The persister's thread calls
 * {@link #write}, any thread calls {@link #cold}.
 */
public interface CellStore extends AutoCloseable {
    /**
     * Loads the newest whole checkpoint, also in place of one that was loaded before. The store then serves its cold rows. A
     * checkpoint with damaged files, or one that the loader refuses, is put aside with a message, and the older one is tried. One
     * that a newer program wrote stays, and an {@link UnknownLevelException} is thrown: the older one lacks what that program did.
     *
     * @return the head of the loaded checkpoint; empty if no checkpoint is whole
     */
    Optional<CheckpointHead> restore(CheckpointLoader loader) throws IOException;

    /** Receives a checkpoint's hot tables. */
    @FunctionalInterface
    interface CheckpointLoader {
        /** Throws if the checkpoint does not match its head. It has then changed nothing. */
        void load(Checkpoint checkpoint) throws DamagedCheckpointException;
    }

    /** The row as of the newest checkpoint. Throws a {@link StoreUnavailableException} during a restore and after the close. */
    Optional<byte[]> cold(ColdKey key);

    /**
     * Makes a checkpoint. When this returns, the checkpoint is complete on disk, and all but the two newest are gone.
     *
     * @return the bytes of hot pages that it wrote; if possible only those that changed since the previous checkpoint
     */
    long write(SealedCell sealed, ColdChanges changes) throws IOException;

    /** The position up to which the log may be purged: that of the older of two complete checkpoints. */
    LogPosition olderCheckpoint();

    /** The files of the newest complete checkpoint. They may be gone when somebody reads them. */
    List<Path> newestFiles();

    @Override
    void close();
}
