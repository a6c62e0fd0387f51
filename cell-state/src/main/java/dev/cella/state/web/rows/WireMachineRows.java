package dev.cella.state.web.rows;

import dev.cella.client.proto.Machine;
import dev.cella.client.proto.MachineHold;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.copies.MachinesCopy;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Dimensions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Machines in the wire contract. */
public final class WireMachineRows {
    private WireMachineRows() {}

    /** The machine as it is now. */
    public static Machine of(CellView view, int slot) {
        List<String> tasks = new ArrayList<>();
        view.forEachTaskOn(slot, task -> tasks.add(task.text()));
        Machine.Builder message = message(view.machine(slot), tasks, view.dimensions());
        addHolds(view.holdsOn(slot), view.dimensions(), view.time(), message);
        addQueue(view.queuedOn(slot), view.queueOn(slot).stream().limit(MachinesCopy.QUEUE_SHOWN_MAX), message);
        if (view.spareTasksOn(slot) > 0) {
            addSpare(view.dimensions(), dimension -> view.spare(slot, dimension), view.machine(slot), message);
        }
        return message.build();
    }

    public static Machine of(MachinesCopy machines, int slot) {
        Machine.Builder message = message(machines.machine(slot), machines.tasksOn(slot), machines.dimensions());
        addHolds(machines.holdsOn(slot), machines.dimensions(), machines.time(), message);
        addQueue(machines.queuedOn(slot), machines.queueOn(slot).stream(), message);
        if (machines.spareTasksOn(slot) > 0) {
            addSpare(
                    machines.dimensions(),
                    dimension -> machines.spare(slot, dimension),
                    machines.machine(slot),
                    message);
        }
        return message.build();
    }

    /** The machine as it is now, with the number of its tasks in place of their names, for a message that is built later. */
    public static Supplier<Machine> brief(CellView view, int slot) {
        MachineRow row = view.machine(slot);
        int tasks = view.tasksOn(slot);
        Dimensions dimensions = view.dimensions();
        return () -> message(row, List.of(), dimensions).setTaskCount(tasks).build();
    }

    /** The machine with the number of its tasks in place of their names. */
    public static Machine brief(MachinesCopy machines, int slot) {
        return message(machines.machine(slot), List.of(), machines.dimensions())
                .setTaskCount(machines.taskCountOn(slot))
                .build();
    }

    private static void addHolds(List<HoldRow> holds, Dimensions dimensions, CellTime now, Machine.Builder message) {
        for (HoldRow hold : holds) {
            message.addHolds(owner(hold)
                    .putAllHeld(WireWords.amounts(dimensions, hold.got(), hold.wanted()))
                    .putAllWanted(WireWords.amounts(dimensions, hold.wanted(), hold.wanted()))
                    .setExpiresIn(WireWords.until(hold.expiresAt(), now)));
        }
    }

    /** What its spare tasks use. */
    private static void addSpare(
            Dimensions dimensions, IntToLongFunction spare, MachineRow row, Machine.Builder message) {
        long[] used = new long[dimensions.size()];
        Arrays.setAll(used, spare);
        message.putAllSpare(WireWords.amounts(dimensions, Amounts.of(used), row.capacity()));
    }

    /** How many tasks wait, and those at the head. */
    private static void addQueue(int queued, Stream<QueueRow> head, Machine.Builder message) {
        if (queued > 0) {
            message.setQueued(queued);
            head.forEach(row -> message.addQueue(row.text()));
        }
    }

    /** The job of a hold, or the scheduler that it is offered to. */
    private static MachineHold.Builder owner(HoldRow hold) {
        MachineHold.Builder row = MachineHold.newBuilder();
        hold.job().ifPresent(job -> row.setJob(job.name()));
        return hold.isOffer()
                ? row.setScheduler(hold.scheduler()).setOffer(hold.offer().toString())
                : row;
    }

    private static Machine.Builder message(MachineRow row, List<String> tasks, Dimensions dimensions) {
        Machine.Builder message = Machine.newBuilder()
                .setName(row.name())
                .setStatus(WireWords.of(row.status()))
                .putAllCapacity(WireWords.amounts(dimensions, row.capacity(), row.capacity()))
                .putAllFree(WireWords.amounts(dimensions, row.free(), row.capacity()))
                .putAllMembers(WireWords.members(dimensions, row.capacity().members()))
                .putAllFreeMembers(WireWords.members(dimensions, row.free().members()))
                .putAllAttributes(row.attributes())
                .setRegisteredVersion(row.registeredVersion().number())
                .setClaimedVersion(row.claimedVersion().number())
                .setChangedVersion(row.changedVersion().number())
                .addAllTasks(tasks.stream().sorted().toList());
        if (!row.capacityWanted().equals(row.capacity())) {
            message.putAllCapacityWanted(WireWords.amounts(dimensions, row.capacityWanted(), row.capacity()));
        }
        return message;
    }
}
