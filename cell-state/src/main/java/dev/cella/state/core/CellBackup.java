package dev.cella.state.core;

import dev.cella.transactions.cell.CellCopy;
import java.util.List;

/**
 * What a backup is of: the hot tables at one version, which stay as they are while the cell goes on, and the keys of the
 * specifications that belong to them.
 */
record CellBackup(CheckpointHead head, CellCopy copy, List<ColdKey> specifications) {
    CellBackup {
        specifications = List.copyOf(specifications);
    }
}
