package dev.cella.client.live;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;

/** Hears what a {@link PrivateReplica} shows, on the thread that owns it. */
public interface ReplicaListener {
    /** Another copy takes the place of the one before; what was known of rows is to be read anew. */
    void replaced(CellView view);

    /** Hears of each row that changed, before {@link #advanced}. */
    TouchedRows touchedRows();

    /** The view shows a later version. */
    void advanced(CellView view);
}
