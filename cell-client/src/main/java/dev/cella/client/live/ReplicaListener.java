package dev.cella.client.live;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;

/** Receives the events of a {@link PrivateReplica}, on the thread that owns it. */
public interface ReplicaListener {
    /** Another copy replaces the one before. Read all rows again. */
    void replaced(CellView view);

    /** As {@link #replaced}, by another part of the cell. Its ended tasks have ended since the part before. */
    default void partReplaced(CellView view) {
        replaced(view);
    }

    /** Gets each row that changed, before {@link #advanced}. */
    TouchedRows touchedRows();

    /** The view shows a later version. */
    void advanced(CellView view);

    /** A frame has arrived: at this moment the view shows what the cell does, unless more is under way. */
    default void heard() {}
}
