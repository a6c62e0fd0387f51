package dev.cella.state.rocksdb;

import dev.cella.state.core.CellStore;
import dev.cella.state.core.CheckpointHead;
import dev.cella.state.core.ColdChanges;
import dev.cella.state.core.ColdKey;
import dev.cella.state.core.DamagedCheckpointException;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.HotPages;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.SealedCell;
import dev.cella.state.rocksdb.Manifest.FileSum;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints on disk, two of them, and the cold rows in RocksDB.
 *
 * <h2>Why the live database is scratch</h2> RocksDB runs without its own log, because the replicated log serves as one and
 * writing everything twice costs a second fsync. After a crash the live database contains some rows of an unknown moment. So
 * nothing is ever read from it: the start removes the live database and makes it again from the newest complete checkpoint, by
 * hard links, in milliseconds, and replays later changes from the log. The price is that replay, and that a table's file stays
 * as long as a checkpoint needs it.
 *
 * <p>Restoring, writing and closing exclude each other: a checkpoint under way is finished before the store is closed. Any
 * thread may call {@link #cold} at any time.
 */
public final class RocksCellStore implements CellStore {
    private static final Logger LOG = LoggerFactory.getLogger(RocksCellStore.class);

    private static final int KEPT = 2;

    private final DataDirectory directory;
    private final Path checkpoints;
    private final Path live;
    private final ColdDatabase cold;

    private volatile LogPosition older = LogPosition.START;
    private LogPosition newest = LogPosition.START;
    private boolean closed;

    /** The newest checkpoint's files with their checksums, and its folder. */
    private volatile Contents contents = Contents.NONE;

    /** The files of the newest checkpoint, if this process wrote it: the next one links them. */
    private @Nullable HotChain chain;

    /** The content of a complete checkpoint as it was recorded, because a folder may be removed while it is read. */
    private record Contents(Path folder, Map<String, FileSum> sums) {
        static final Contents NONE = new Contents(Path.of(""), Map.of());

        List<Path> files() {
            return sums.isEmpty()
                    ? List.of()
                    : Stream.concat(sums.keySet().stream(), Stream.of(Manifest.FILE))
                            .map(folder::resolve)
                            .toList();
        }
    }

    public RocksCellStore(DataDirectory directory) {
        this.directory = directory;
        this.checkpoints = directory.checkpoints();
        this.live = directory.live();
        this.cold = new ColdDatabase();
    }

    @Override
    public synchronized Optional<CheckpointHead> restore(CheckpointLoader loader) throws IOException {
        if (closed) {
            // A checkpoint of another replica may arrive while this one stops.
            throw new IOException("the store is closed");
        }
        cold.close();
        older = LogPosition.START;
        newest = LogPosition.START;
        contents = Contents.NONE;
        chain = null;
        bringBackReplaced();
        Files.createDirectories(checkpoints);
        for (CheckpointFolder folder : CheckpointFolder.list(checkpoints)) {
            Optional<CheckpointHead> restored = tryRestore(folder, loader);
            if (restored.isPresent()) {
                return restored;
            }
        }
        DurableFiles.removeTree(live);
        Files.createDirectories(live);
        cold.open(live);
        return Optional.empty();
    }

    /** The process has ended after the checkpoints were moved out of the way, and before another replica's one was in place. */
    private void bringBackReplaced() throws IOException {
        List<Path> replaced = directory.replacedCheckpoints();
        if (!Files.exists(checkpoints) && !replaced.isEmpty()) {
            Files.move(replaced.get(replaced.size() - 1), checkpoints, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private Optional<CheckpointHead> tryRestore(CheckpointFolder folder, CheckpointLoader loader) throws IOException {
        try {
            Manifest manifest = folder.check(directory.cellId());
            loader.load(folder.read(manifest.head()));
            folder.linkCold(live);
            cold.open(live);
            completed(manifest);
            return Optional.of(manifest.head());
        } catch (DamagedCheckpointException damaged) {
            LOG.warn(
                    "checkpoint={} is damaged and put aside, going on with an older one if there is one: {}",
                    folder.name(),
                    damaged.getMessage());
            folder.putAside();
            return Optional.empty();
        }
    }

    private void completed(Manifest manifest) {
        older = newest;
        newest = manifest.head().position();
        contents = new Contents(CheckpointFolder.path(checkpoints, newest.index()), manifest.files());
    }

    @Override
    public Optional<byte[]> cold(ColdKey key) {
        return cold.get(key);
    }

    @Override
    public synchronized long write(SealedCell sealed, ColdChanges changes) throws IOException {
        cold.write(changes);
        CheckpointFolder folder = CheckpointFolder.begin(checkpoints);
        cold.checkpoint(folder.cold());
        HotChain written = writeHot(folder, sealed);
        completed(folder.finish(directory.cellId(), sealed.head(), contents.sums()));
        chain = written;
        removeOld();
        return written.newestBytes();
    }

    private HotChain writeHot(CheckpointFolder folder, SealedCell sealed) throws IOException {
        long index = sealed.head().position().index();
        HotPages pages = sealed.pages();
        Optional<HotChain> growing = Optional.ofNullable(chain).flatMap(HotChain::unlessLong);
        if (growing.isEmpty()) {
            return HotChain.begin(pages, folder.writeHot(index, pages::forEach));
        }
        HotPages earlier = growing.get().pages();
        folder.linkHot(CheckpointFolder.at(checkpoints, newest.index()));
        return growing.get().with(pages, folder.writeHot(index, changed -> pages.forEachSince(earlier, changed)));
    }

    private void removeOld() throws IOException {
        List<CheckpointFolder> complete = CheckpointFolder.list(checkpoints);
        for (CheckpointFolder folder : complete.subList(Math.min(KEPT, complete.size()), complete.size())) {
            folder.remove();
        }
    }

    @Override
    public List<Path> newestFiles() {
        return contents.files();
    }

    @Override
    public LogPosition olderCheckpoint() {
        return older;
    }

    @Override
    public synchronized void close() {
        closed = true;
        cold.close();
    }
}
