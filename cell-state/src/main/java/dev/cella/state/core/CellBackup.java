package dev.cella.state.core;

import dev.cella.transactions.cell.copies.CellCopy;
import java.util.List;

/**
 * The content of a backup: the hot tables at one version, which stay as they are while the cell goes on, and the key of each
 * job's newest specification.
 */
record CellBackup(CheckpointHead head, CellCopy copy, List<ColdKey> newestSpecifications) {
    CellBackup {
        newestSpecifications = List.copyOf(newestSpecifications);
    }
}
