package dev.cella.state.core;

import java.io.IOException;
import java.util.Optional;

/**
 * What a replica keeps on disk besides its log: complete checkpoints, and the cold rows as of the newest of them. Two
 * exist: the one on RocksDB, and the one in memory that tests use.
 *
 * <p>{@link #restore} is called first and once. {@link #write} is called by the persister's thread, {@link #cold} by any.
 */
public interface CellStore extends AutoCloseable {
    /** The newest checkpoint that is whole; its cold rows are the store's from now on. Nothing where there never was one. */
    Optional<Checkpoint> restore() throws IOException;

    /** The row as of the newest checkpoint. */
    Optional<byte[]> cold(ColdKey key);

    /** Makes a checkpoint. When it returns this one is complete on disk, and all but the two newest are gone. */
    void write(Checkpoint checkpoint, ColdChanges changes) throws IOException;

    /** Where the log may be forgotten up to: the position of the older of two complete checkpoints. */
    LogPosition older();

    @Override
    void close();
}
