package dev.cella.state.ratis;

import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.LogPosition;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.jspecify.annotations.Nullable;

/**
 * Checkpoints as Ratis knows them: where they are in the log, and the files that its leader ships to a follower whose next
 * entry is forgotten.
 *
 * <p>Ratis ships over either RPC, file by file, with a checksum each. It writes what arrives under another directory, and
 * when all of it is there renames that to the directory of checkpoints, and removes what was there: the follower's own
 * are all older. Were a file of the sender's removed in the middle, because two newer checkpoints have been made meanwhile,
 * it begins again with the newest.
 */
final class CheckpointShipping implements StateMachineStorage {
    private final DataDirectory directory;
    private final LogListener listener;

    CheckpointShipping(DataDirectory directory, LogListener listener) {
        this.directory = directory;
        this.listener = listener;
    }

    /** What an earlier life of this process had received in part. */
    @Override
    public void init(RaftStorage storage) throws IOException {
        DurableFiles.removeTree(directory.arriving());
    }

    @Override
    public File getSnapshotDir() {
        return directory.checkpoints().toFile();
    }

    @Override
    public File getTmpDir() {
        return directory.arriving().toFile();
    }

    /** Before the log may be forgotten for it. */
    void syncArrived() {
        try {
            if (Files.exists(directory.arriving())) {
                DurableFiles.syncTree(directory.arriving());
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot bring the checkpoint that has arrived to the disk", failure);
        }
    }

    /** {@inheritDoc} Where a start goes on from; null where there was no checkpoint yet. */
    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        LogPosition newest = listener.newestCheckpoint();
        return newest.isAtStart() ? null : new Shipped(TermIndex.valueOf(newest.term(), newest.index()), listener);
    }

    /** The files are looked for when they are wanted: Ratis asks for the place many times a second. */
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
        // The directory belongs to who opened it.
    }

    @Override
    public void cleanupOldSnapshots(SnapshotRetentionPolicy policy) {
        // The store keeps two.
    }
}
