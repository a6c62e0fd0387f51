package dev.cella.transactions.cell;

import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.Origin;
import java.util.Optional;
import java.util.SortedMap;

/** A machine as it was when this was read; a value that may be kept and shared. */
public record MachineRow(
        int slot,
        MachineId id,
        String name,
        MachineStatus status,
        Amounts capacity,
        Amounts capacityWanted,
        Amounts free,
        SortedMap<String, String> attributes,
        Optional<AgentIdentity> agent,
        CellVersion claimedVersion,
        Optional<Origin> claimedBy,
        CellVersion changedVersion,
        int tasks) {
    /** Its {@code registeredVersion} is its identity. */
    public CellVersion registeredVersion() {
        return new CellVersion(id.version());
    }
}
