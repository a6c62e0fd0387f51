package dev.cella.state.core;

import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.UnknownLevelException;
import dev.cella.transactions.model.Incarnation;
import java.io.IOException;
import java.util.List;

/**
 * Makes a backup the first checkpoint of a new directory, from which a replica founds the cell again.
 *
 * <p>The tables are loaded and must have the backup's digest. Then the cell gets another incarnation, because the versions
 * after the backup will be used again with another meaning. Machines with an agent take no claims until their agent has
 * registered again.
 */
public final class Restoration {
    /** Before the first entry of the new log, and after the start of all logs. */
    private static final LogPosition FIRST = new LogPosition(1, 1);

    private Restoration() {}

    /** Checks that the backup can be loaded, without writing anything. */
    public static CheckpointHead check(BackupReader.Contents backup)
            throws DamagedCheckpointException, StartRefusedException {
        load(backup);
        return backup.head();
    }

    /** Checks that the checkpoint can be loaded. */
    public static void check(Checkpoint checkpoint) throws DamagedCheckpointException {
        CommonCell.read(CellLimits.STANDARD, checkpoint.head(), checkpoint.hot());
    }

    private static Cell load(BackupReader.Contents backup) throws DamagedCheckpointException, StartRefusedException {
        try {
            return CommonCell.read(
                    CellLimits.STANDARD,
                    backup.head(),
                    List.copyOf(backup.pages().values()));
        } catch (UnknownLevelException newer) {
            throw StartRefusedException.newer("the backup", newer);
        }
    }

    /** Writes it to the store of an empty directory. */
    public static void restore(BackupReader.Contents backup, Incarnation incarnation, CellStore store)
            throws IOException, DamagedCheckpointException, StartRefusedException {
        Cell cell = load(backup);
        cell.restoredAs(incarnation);
        ColdChanges cold = new ColdChanges();
        backup.specifications().forEach(cold::put);
        store.restore(nothing -> {});
        store.write(new SealedCell(CommonCell.head(cell, FIRST), new CommonCell.CopiedPages(cell.copy())), cold);
    }
}
