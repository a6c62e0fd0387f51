package dev.cella.state.ratis;

import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.Time;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Presents checkpoints to Ratis: their place in the log, and the files that the leader ships to a follower whose next entry
 * was purged.
 *
 * <p>Ratis ships over either RPC, file by file, each with a checksum. It writes arriving files into another directory. When
 * all have arrived, it renames that directory to the directory of checkpoints and removes the former one: the follower's own
 * checkpoints are all older. If the sender removes a file during shipping, because two newer checkpoints exist, Ratis starts
 * again with the newest.
 *
 * <p>Each attempt has a folder of its own, which Ratis leaves behind if the attempt fails. A later attempt that succeeds removes it,
 * or the next start. The follower may also catch up without any: so a folder goes when nothing has arrived in it for a while.
 */
final class CheckpointShipping implements StateMachineStorage {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointShipping.class);

    private static final Duration LOOK = Duration.ofMinutes(1);

    /** Longer than a sender waits before it gives an attempt up. */
    private static final Duration SILENT_MAX = Duration.ofMinutes(10);

    private final DataDirectory directory;
    private final LogListener listener;
    private final Time time;

    /** The attempts at the last look. Used by one look after another. */
    private Map<Path, Attempt> attempts = Map.of();

    /**
     * @param modifiedMillis when something arrived last, by the clock of the file system
     * @param seenNanos when that was seen first
     */
    private record Attempt(long modifiedMillis, long seenNanos) {}

    CheckpointShipping(DataDirectory directory, LogListener listener, Time time) {
        this.directory = directory;
        this.listener = listener;
        this.time = time;
    }

    /** Looks for attempts that have failed, as long as time passes. */
    void watch() {
        var unused = time.after(LOOK, this::look);
    }

    /** A large folder is removed on a thread of its own. */
    private void look() {
        var unused = CompletableFuture.runAsync(this::removeSilentAttempts).thenRun(this::watch);
    }

    private void removeSilentAttempts() {
        try {
            Map<Path, Attempt> found = new HashMap<>();
            for (Path folder : folders()) {
                Attempt attempt = attempt(folder);
                if (time.monotonicNanos() - attempt.seenNanos() > SILENT_MAX.toNanos()) {
                    DurableFiles.removeTree(folder);
                    LOG.info("directory={}: removed, nothing has arrived for {}", folder, SILENT_MAX);
                } else {
                    found.put(folder, attempt);
                }
            }
            attempts = found;
        } catch (IOException | UncheckedIOException failure) {
            LOG.warn("directory={}: cannot remove parts of checkpoints", directory.arriving(), failure);
        }
    }

    private List<Path> folders() throws IOException {
        if (Files.notExists(directory.arriving())) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(directory.arriving())) {
            return folders.toList();
        }
    }

    private Attempt attempt(Path folder) throws IOException {
        try (Stream<Path> parts = Files.walk(folder)) {
            long modified =
                    parts.mapToLong(part -> part.toFile().lastModified()).max().orElse(0);
            Attempt before = attempts.get(folder);
            return before != null && before.modifiedMillis() == modified
                    ? before
                    : new Attempt(modified, time.monotonicNanos());
        }
    }

    @Override
    public void init(RaftStorage storage) throws IOException {
        removeRests();
    }

    /**
     * Removes what an earlier run of this process had received in part, and the checkpoints that a whole one has replaced. They
     * stay if this replica has begun with no checkpoint.
     */
    void removeRests() throws IOException {
        DurableFiles.removeTree(directory.arriving());
        if (!listener.newestCheckpoint().isAtStart()) {
            for (Path replaced : directory.replacedCheckpoints()) {
                DurableFiles.removeTree(replaced);
            }
        }
    }

    /** Removes the parts of attempts that failed, when one has succeeded. Each may be as large as a checkpoint. */
    void removeFailedAttempts() {
        try {
            DurableFiles.removeTree(directory.arriving());
        } catch (IOException failure) {
            LOG.warn("directory={}: cannot remove parts of checkpoints", directory.arriving(), failure);
        }
    }

    @Override
    public File getSnapshotDir() {
        return directory.checkpoints().toFile();
    }

    @Override
    public File getTmpDir() {
        return directory.arriving().toFile();
    }

    /** Flushes the arrived checkpoint before the log is purged up to it. */
    void syncArrived() {
        try {
            if (Files.exists(directory.arriving())) {
                DurableFiles.syncTree(directory.arriving());
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot bring the checkpoint that has arrived to the disk", failure);
        }
    }

    /** {@inheritDoc} The place from which a start continues; null before the first checkpoint. */
    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        LogPosition newest = listener.newestCheckpoint();
        return newest.isAtStart() ? null : new Shipped(TermIndex.valueOf(newest.term(), newest.index()), listener);
    }

    /** The files are looked up when they are needed: Ratis asks for the place many times per second. */
    private record Shipped(TermIndex position, LogListener listener) implements SnapshotInfo {
        @Override
        public TermIndex getTermIndex() {
            return position;
        }

        @Override
        public List<FileInfo> getFiles() {
            return listener.newestCheckpointFiles().stream()
                    .map(file -> new FileInfo(file, null))
                    .toList();
        }
    }

    @Override
    public void format() {
        // The directory belongs to its opener.
    }

    @Override
    public void cleanupOldSnapshots(SnapshotRetentionPolicy policy) {
        // The store keeps two.
    }
}
