package dev.cella.state;

import dev.cella.state.core.DamagedBackupException;
import dev.cella.state.core.DamagedCheckpointException;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DirectoryIdentity;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Replica;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.ratis.WrittenLog;
import dev.cella.state.rocksdb.RocksCellStore;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Founds a cell again from the directory of one stopped replica, when the majority of its replicas is lost permanently.
 *
 * <p>The replica's checkpoint and every entry of its log give the state. That state becomes a backup, and the backup is
 * restored in an empty directory: so the cell has another incarnation, and no lost replica that comes back can take part in
 * it. The checkpoints and the log of the old directory stay as they are. Its scratch directory {@code live} is made again,
 * and a damaged checkpoint is put aside, as at any start.
 */
public final class CellRevival {
    private CellRevival() {}

    /**
     * The revived cell.
     *
     * @param last the last entry of the log that was found; entries after it are lost
     */
    public record Revived(CellRestore.Restored restored, LogPosition last) {}

    public static Revived revive(Path directory, Path data)
            throws IOException, StartRefusedException, DamagedBackupException, DamagedCheckpointException {
        CellRestore.checkEmpty(data);
        Path parent = data.toAbsolutePath().getParent();
        Files.createDirectories(parent);
        Path backup = Files.createTempFile(parent, "revival-", ".backup");
        try {
            LogPosition last = backUp(directory, backup);
            return new Revived(CellRestore.restore(backup, data), last);
        } catch (LeftException left) {
            throw new StartRefusedException(
                    StartRefusedException.Why.DAMAGED,
                    "the log in " + directory + " cannot be applied: " + left.getMessage(),
                    "revive the directory of another replica, or restore a backup");
        } finally {
            Files.delete(backup);
        }
    }

    private static LogPosition backUp(Path directory, Path backup) throws IOException, StartRefusedException {
        DirectoryIdentity identity = DataDirectory.readIdentityOf(directory);
        try (DataDirectory open = DataDirectory.open(directory, identity.cell(), 0, UUID.randomUUID());
                ReplicaThreads threads = new ReplicaThreads();
                WrittenLog log = new WrittenLog(open);
                Replica replica = replica(open, log, threads);
                OutputStream out = Files.newOutputStream(backup)) {
            replica.start();
            checkHasACell(replica, directory);
            replica.backup(out);
            return log.last();
        }
    }

    /** Makes no checkpoint: it would contain entries that the old cell may not have committed. */
    private static Replica replica(DataDirectory directory, WrittenLog log, ReplicaThreads threads) {
        return new Replica(
                new Command.FoundCell(directory.cell(), new Incarnation(1)),
                Membership.alone(),
                log,
                new RocksCellStore(directory),
                ReplicaLimits.defaults().withCheckpointLogBytes(Long.MAX_VALUE),
                threads.time(),
                threads.threads(),
                CellRevival::fail);
    }

    private static void fail(String message, Throwable cause) {
        throw new LeftException(message, cause);
    }

    /** The replica cannot go on. */
    private static final class LeftException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private LeftException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private static void checkHasACell(Replica replica, Path directory) throws StartRefusedException {
        if (replica.incarnation().equals(Incarnation.UNSAID)) {
            throw new StartRefusedException(
                    StartRefusedException.Why.LOG_INCOMPLETE,
                    "the log in " + directory + " has no entry that founds a cell",
                    "revive the directory of another replica, or restore a backup");
        }
    }
}
