package dev.cella.state.rocksdb;

import dev.cella.state.core.ColdChanges;
import dev.cella.state.core.ColdKey;
import dev.cella.state.core.EntryOutcomes;
import dev.cella.state.core.StoreUnavailableException;
import dev.cella.transactions.model.CellVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.rocksdb.util.Environment;

/**
 * The cold rows in RocksDB; the only class that calls it. A call on a closed database would crash the process in native code.
 * So closing waits for calls under way, and later calls are refused.
 *
 * <p>Nearly all rows are outcomes, which come and are forgotten in the order of their keys. So they have their own column
 * family, from which whole files of forgotten rows are removed. No deletion is ever written to it, so nothing in it is merged
 * or written twice.
 */
final class ColdDatabase implements AutoCloseable {
    private static final byte[] SPECIFICATIONS = {'s', 'p', 'e', 'c'};
    private static final byte[] OUTCOMES = {'o', 'u', 't', 'c'};
    private static final long WRITE_BUFFER_BYTES = 8L << 20;

    private final ReadWriteLock closing = new ReentrantReadWriteLock();

    /** Closed only under the lock. It is opened without, before or between the calls that need it. */
    private volatile @Nullable Opened opened;

    /** All native objects of an open database, in the order of their creation. */
    private record Opened(
            RocksDB database,
            List<ColumnFamilyHandle> families,
            ColumnFamilyOptions familyOptions,
            DBOptions options,
            WriteOptions writes)
            implements AutoCloseable {
        ColumnFamilyHandle specifications() {
            return families.get(1);
        }

        ColumnFamilyHandle outcomes() {
            return families.get(2);
        }

        int family(ColdKey key) {
            return (key.isOutcome() ? outcomes() : specifications()).getID();
        }

        @Override
        public void close() {
            families.forEach(ColumnFamilyHandle::close);
            database.close();
            writes.close();
            options.close();
            familyOptions.close();
        }
    }

    void open(Path path) throws IOException {
        loadLibrary(path);
        ColumnFamilyOptions familyOptions = new ColumnFamilyOptions()
                .setWriteBufferSize(WRITE_BUFFER_BYTES)
                .setCompressionType(CompressionType.LZ4_COMPRESSION);
        DBOptions options = new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                // All families at one moment: the database has no log of its own to make them consistent.
                .setAtomicFlush(true)
                // Rows that are in no checkpoint are scratch, so closing need not write them.
                .setAvoidFlushDuringShutdown(true)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(1);
        List<ColumnFamilyHandle> families = new ArrayList<>();
        try {
            RocksDB database = RocksDB.open(options, path.toString(), descriptors(familyOptions), families);
            opened = new Opened(database, families, familyOptions, options, new WriteOptions().setDisableWAL(true));
        } catch (RocksDBException failure) {
            throw new IOException("cannot open the database of cold rows in " + path, failure);
        }
    }

    /**
     * By default the library is unpacked into the temporary directory, where each killed process would leave a copy. The
     * process runs what it has mapped, and needs no name of the file. A change of the file would crash it.
     */
    private static void loadLibrary(Path path) throws IOException {
        NativeLibraryLoader.getInstance().loadLibrary(path.toString());
        Files.deleteIfExists(path.resolve(Environment.getJniLibraryFileName("rocksdb")));
    }

    private static List<ColumnFamilyDescriptor> descriptors(ColumnFamilyOptions options) {
        return List.of(
                new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, options),
                new ColumnFamilyDescriptor(SPECIFICATIONS, options),
                new ColumnFamilyDescriptor(OUTCOMES, options));
    }

    Optional<byte[]> get(ColdKey key) {
        closing.readLock().lock();
        try {
            Opened now = opened;
            if (now == null) {
                throw new StoreUnavailableException("the database of cold rows is closed");
            }
            return get(now, key);
        } catch (RocksDBException failure) {
            throw new IllegalStateException("cannot read the cold row " + key, failure);
        } finally {
            closing.readLock().unlock();
        }
    }

    private static Optional<byte[]> get(Opened now, ColdKey key) throws RocksDBException {
        return key.isOutcome()
                ? outcome(now, key)
                : Optional.ofNullable(now.database.get(now.specifications(), key.bytes()));
    }

    /** The outcome is in the row of an entry's outcomes, whose key is the last of them. */
    private static Optional<byte[]> outcome(Opened now, ColdKey key) throws RocksDBException {
        try (RocksIterator rows = now.database.newIterator(now.outcomes())) {
            rows.seek(key.bytes());
            rows.status();
            return rows.isValid() ? EntryOutcomes.find(rows.value(), new CellVersion(key.version())) : Optional.empty();
        }
    }

    void write(ColdChanges changes) throws IOException {
        Opened now = opened();
        RowBatch batch = new RowBatch(now::family, bytes -> write(now, bytes));
        try {
            changes.forEach(batch);
            batch.writeRest();
            forget(now, changes.forgottenUpTo());
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        } catch (RocksDBException failure) {
            throw new IOException("cannot drop the outcomes that are forgotten", failure);
        }
    }

    /** A file stays while it also has later rows. Nobody asks for the forgotten rows in it. */
    private static void forget(Opened now, CellVersion upTo) throws RocksDBException {
        List<byte[]> range = List.of(
                ColdKey.outcome(CellVersion.NONE).bytes(), ColdKey.outcome(upTo).bytes());
        now.database.deleteFilesInRanges(now.outcomes(), range, true);
    }

    private static void write(Opened now, byte[] rows) {
        try (WriteBatch batch = new WriteBatch(rows)) {
            now.database.write(now.writes, batch);
        } catch (RocksDBException failure) {
            throw new UncheckedIOException(new IOException("cannot write cold rows", failure));
        }
    }

    /** Makes a copy that shares the tables. The caller must prevent writes. */
    void checkpoint(Path target) throws IOException {
        Opened now = opened();
        try (FlushOptions flush = new FlushOptions().setWaitForFlush(true);
                Checkpoint checkpoint = Checkpoint.create(now.database)) {
            now.database.flush(flush, now.families);
            checkpoint.createCheckpoint(target.toString());
        } catch (RocksDBException failure) {
            throw new IOException("cannot make a checkpoint of the cold rows", failure);
        }
    }

    private Opened opened() throws IOException {
        Opened now = opened;
        if (now == null) {
            throw new IOException("the database of cold rows is closed");
        }
        return now;
    }

    @Override
    public void close() {
        closing.writeLock().lock();
        try {
            if (opened != null) {
                opened.close();
                opened = null;
            }
        } finally {
            closing.writeLock().unlock();
        }
    }
}
