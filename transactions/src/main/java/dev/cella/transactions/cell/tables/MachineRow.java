package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.Origin;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.IntToLongFunction;

/** A machine as it was when it was read; a value that may be kept and shared. */
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
    /** The machine in a slot that is in use. */
    public static MachineRow of(MachineTable machines, int dimensions, int slot) {
        MachineMembers members = machines.members(slot);
        return new MachineRow(
                slot,
                new MachineId(machines.registeredVersion(slot)),
                machines.name(slot),
                machines.status(slot),
                amounts(dimensions, dimension -> machines.capacity(slot, dimension))
                        .naming(members.capacity()),
                amounts(dimensions, dimension -> machines.capacityWanted(slot, dimension))
                        .naming(members.wanted()),
                amounts(dimensions, dimension -> machines.free(slot, dimension)).naming(members.free()),
                Collections.unmodifiableSortedMap(machines.attributes(slot)),
                Optional.ofNullable(machines.agent(slot)),
                new CellVersion(machines.claimedVersion(slot)),
                Optional.ofNullable(machines.claimedBy(slot)),
                new CellVersion(machines.changedVersion(slot)),
                machines.taskCount(slot));
    }

    private static Amounts amounts(int dimensions, IntToLongFunction at) {
        long[] values = new long[dimensions];
        Arrays.setAll(values, at);
        return Amounts.of(values);
    }

    /** Its {@code registeredVersion} is its identity. */
    public CellVersion registeredVersion() {
        return new CellVersion(id.version());
    }
}
