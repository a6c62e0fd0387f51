package dev.cella.state.web.rows;

import dev.cella.client.proto.Machine;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.MachineRow;
import dev.cella.transactions.cell.TaskRow;
import dev.cella.transactions.model.Dimensions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Machines as the wire contract shows them. */
public final class MachineRows {
    private MachineRows() {}

    public static Machine of(CellView view, int slot) {
        return kept(view, slot).get();
    }

    /** The machine as it is now, to be made into a message later. */
    public static Supplier<Machine> kept(CellView view, int slot) {
        MachineRow row = view.machine(slot);
        List<TaskRow> tasks = new ArrayList<>();
        view.forEachTaskOn(slot, tasks::add);
        Dimensions dimensions = view.dimensions();
        return () -> message(row, tasks, dimensions);
    }

    private static Machine message(MachineRow row, List<TaskRow> tasks, Dimensions dimensions) {
        Machine.Builder message = Machine.newBuilder()
                .setName(row.name())
                .setStatus(Words.of(row.status()))
                .putAllCapacity(Words.amounts(dimensions, row.capacity(), row.capacity()))
                .putAllFree(Words.amounts(dimensions, row.free(), row.capacity()))
                .putAllMembers(Words.members(dimensions, row.capacity().members()))
                .putAllFreeMembers(Words.members(dimensions, row.free().members()))
                .putAllAttributes(row.attributes())
                .setRegisteredVersion(row.registeredVersion().number())
                .setClaimedVersion(row.claimedVersion().number())
                .setChangedVersion(row.changedVersion().number())
                .addAllTasks(tasks.stream().map(TaskRow::text).sorted().toList());
        if (!row.capacityWanted().equals(row.capacity())) {
            message.putAllCapacityWanted(Words.amounts(dimensions, row.capacityWanted(), row.capacity()));
        }
        return message.build();
    }
}
