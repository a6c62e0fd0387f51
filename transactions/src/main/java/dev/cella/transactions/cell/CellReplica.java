package dev.cella.transactions.cell;

import dev.cella.transactions.cell.copies.CellCopy;
import dev.cella.transactions.cell.copies.MachinesCopy;
import dev.cella.transactions.cell.copies.SnapshotReader;
import dev.cella.transactions.cell.copies.TasksCopy;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.OutcomeTable;
import dev.cella.transactions.cell.tables.ReadAhead;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.codec.ChangeReader;
import java.util.Collection;
import java.util.List;

/**
 * A private copy of the cell state. It starts from a snapshot, or empty at version 0, and follows the stream of changes.
 *
 * <p>Its tables are the common copy's and the same calls drive them, so both have the same digests at the same version. A
 * frame that does not follow the version that the replica shows is a broken invariant: take a snapshot, with a new replica.
 * Owned by one thread.
 */
public final class CellReplica {
    /** A private copy keeps none; the table wants room for one. */
    private static final CellLimits NO_OUTCOMES = new CellLimits(1, 1, 1);

    private final Tables tables = new Tables(new Teller());
    private final CellView view = new CellView(tables);
    private final ChangeReader reader = new ChangeReader(tables, new ReadAhead(tables));
    private TouchedRows listener = TouchedRows.UNHEARD;

    /** Stands behind the tables, which show the frame's version when it ends. */
    private final class Teller extends ChangedRows {
        @Override
        public void end() {
            tell(view, listener);
        }
    }

    public CellView view() {
        return view;
    }

    /**
     * The state at this version, which shares its pages with this replica. Another thread may {@linkplain #load load} a replica
     * of its own from it. Call this on the owner's thread, between two frames; it takes the time to copy a list of pages.
     */
    public CellCopy copy() {
        return new CellCopy(tables, new OutcomeTable(NO_OUTCOMES));
    }

    /** The machines at this version, with what is on them. Call this where {@link #copy} may be called. */
    public MachinesCopy copyMachines() {
        return new MachinesCopy(tables);
    }

    /** The tasks of those jobs at this version. Call this where {@link #copy} may be called. */
    public TasksCopy copyTasks(Collection<JobRow> jobs) {
        return new TasksCopy(tables, jobs);
    }

    /** Applies whole frames, one version after another. */
    public void applyChanges(byte[] frames) {
        applyChanges(frames, TouchedRows.UNHEARD);
    }

    /**
     * Applies whole frames. After each frame it tells the listener which rows changed, while the view shows exactly that
     * frame's version.
     */
    public void applyChanges(byte[] frames, TouchedRows told) {
        listener = told;
        reader.readFrames(frames);
    }

    /** Fills this replica, which must be empty, from the chunks of a snapshot. */
    public void load(List<byte[]> chunks) {
        new SnapshotReader(tables).read(chunks, null);
    }
}
