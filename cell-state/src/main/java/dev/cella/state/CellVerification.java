package dev.cella.state;

import dev.cella.state.core.CheckpointHead;
import dev.cella.state.core.DamagedBackupException;
import dev.cella.state.core.DamagedCheckpointException;
import dev.cella.state.core.DamagedLogException;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DirectoryIdentity;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.Restoration;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.ratis.LogFiles;
import dev.cella.state.rocksdb.CheckpointFiles;
import dev.cella.state.rocksdb.CheckpointFiles.Read;
import dev.cella.transactions.codec.UnknownLevelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Reads everything that a stopped replica keeps, or a backup, and reports which parts are whole and which are damaged. It
 * changes nothing and holds the lock of the directory while it reads.
 */
public final class CellVerification {
    private final List<String> whole = new ArrayList<>();
    private final List<String> damage = new ArrayList<>();
    private LogPosition newest = LogPosition.START;

    private CellVerification() {}

    /**
     * The findings, line by line.
     *
     * @param whole the parts that are as they were written
     * @param damage the file, the place in it and the damage there
     */
    public record Found(List<String> whole, List<String> damage) {
        public Found {
            whole = List.copyOf(whole);
            damage = List.copyOf(damage);
        }
    }

    /** Fails if the directory is in use or there is nothing to read. */
    public static Found verify(Path path) throws IOException, StartRefusedException {
        if (!Files.exists(path)) {
            throw new IOException("there is nothing at " + path);
        }
        CellVerification verification = new CellVerification();
        if (Files.isDirectory(path)) {
            verification.directory(path);
        } else {
            verification.backup(path);
        }
        return new Found(verification.whole, verification.damage);
    }

    private void backup(Path file) throws IOException, StartRefusedException {
        try {
            CheckpointHead head = CellRestore.check(file);
            whole.add("backup      cell %s at version %s, feature level %d"
                    .formatted(head.cell(), head.version(), head.featureLevel()));
        } catch (DamagedBackupException | DamagedCheckpointException damaged) {
            damage.add(file + ": " + damaged.getMessage());
        }
    }

    private void directory(Path path) throws IOException, StartRefusedException {
        DirectoryIdentity identity = DataDirectory.readIdentityOf(path);
        try (DataDirectory directory = DataDirectory.open(path, identity.cell(), 0, UUID.randomUUID())) {
            whole.add("identity    cell %s, directory %s".formatted(identity.cell(), identity.directory()));
            checkpoints(directory);
            log(directory);
        }
    }

    private void checkpoints(DataDirectory directory) throws IOException, StartRefusedException {
        for (Path folder : CheckpointFiles.list(directory.checkpoints())) {
            try {
                Read read = CheckpointFiles.read(folder, directory.cellId());
                Restoration.check(read.checkpoint());
                whole.add("checkpoint  %s: version %s, log entry %d"
                        .formatted(
                                folder.getFileName(),
                                read.head().version(),
                                read.head().position().index()));
                if (read.head().position().index() > newest.index()) {
                    newest = read.head().position();
                }
            } catch (DamagedCheckpointException damaged) {
                damage.add(folder + ": " + damaged.getMessage());
            } catch (UnknownLevelException newer) {
                throw StartRefusedException.newer(folder.toString(), newer);
            }
        }
    }

    private void log(DataDirectory directory) throws IOException {
        LogFiles files = new LogFiles(directory.log(), directory.cellId(), "", false);
        if (newest.isAtStart() && files.isEmpty()) {
            directory
                    .damagedCheckpoint()
                    .ifPresent(aside -> damage.add(aside + ": was put aside, and nothing else has what it had"));
        }
        try {
            whole.addAll(files.verify(newest).stream()
                    .map(line -> "log         " + line)
                    .toList());
        } catch (DamagedLogException damaged) {
            damage.add(String.valueOf(damaged.getMessage()));
        } catch (StartRefusedException refused) {
            damage.add(String.valueOf(refused.getMessage()));
        }
    }
}
