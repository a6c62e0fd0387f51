package dev.cella.state;

import dev.cella.state.core.BackupReader;
import dev.cella.state.core.CheckpointHead;
import dev.cella.state.core.DamagedBackupException;
import dev.cella.state.core.DamagedCheckpointException;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.Restoration;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.ratis.RatisLog;
import dev.cella.state.rocksdb.RocksCellStore;
import dev.cella.transactions.model.Incarnation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.UUID;

/** Founds a cell from a backup, in an empty directory, as a lone replica. Others are added to it while it runs. */
public final class CellRestore {
    private static final long FREE_BYTES_MIN = 1L << 30;

    private CellRestore() {}

    /** Reads and loads the whole backup, and returns its head. Writes nothing. */
    public static CheckpointHead check(Path backup)
            throws IOException, DamagedBackupException, DamagedCheckpointException, StartRefusedException {
        return Restoration.check(read(backup));
    }

    private static BackupReader.Contents read(Path backup) throws IOException, DamagedBackupException {
        try (InputStream in = Files.newInputStream(backup)) {
            return BackupReader.read(in);
        }
    }

    /** The head of the restored backup, and the cell's new incarnation. */
    public record Restored(CheckpointHead backup, Incarnation incarnation) {}

    public static Restored restore(Path backup, Path data)
            throws IOException, DamagedBackupException, DamagedCheckpointException, StartRefusedException {
        BackupReader.Contents contents = read(backup);
        Restoration.check(contents);
        checkEmpty(data);
        Incarnation incarnation = new Incarnation(new SecureRandom().nextLong() | 1);
        try (DataDirectory directory =
                        DataDirectory.openToRestore(data, contents.head().cell(), FREE_BYTES_MIN, UUID.randomUUID());
                RocksCellStore store = new RocksCellStore(directory)) {
            Restoration.restore(contents, incarnation, store);
            RatisLog.beginEmpty(directory);
            directory.restored();
        }
        return new Restored(contents.head(), incarnation);
    }

    static void checkEmpty(Path data) throws IOException, StartRefusedException {
        if (Files.isDirectory(data)) {
            try (var files = Files.list(data)) {
                if (files.findAny().isPresent()) {
                    throw new StartRefusedException(
                            StartRefusedException.Why.DIRECTORY_IN_USE,
                            "the data directory " + data + " is not empty",
                            "restore into an empty one; a cell is never restored over another");
                }
            }
        }
    }
}
