package dev.cella.state.web.rows;

import dev.cella.client.proto.Machine;
import dev.cella.client.proto.MachineHold;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Dimensions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Machines in the wire contract. */
public final class WireMachineRows {
    private static final int QUEUE_MAX = 100;

    private WireMachineRows() {}

    public static Machine of(CellView view, int slot) {
        return kept(view, slot).get();
    }

    /** The machine as it is now, for a message that is built later. */
    public static Supplier<Machine> kept(CellView view, int slot) {
        MachineRow row = view.machine(slot);
        List<TaskRow> tasks = new ArrayList<>();
        view.forEachTaskOn(slot, tasks::add);
        Dimensions dimensions = view.dimensions();
        List<MachineHold> holds = view.holdsOn(slot).stream()
                .map(hold -> owner(hold)
                        .putAllHeld(WireWords.amounts(dimensions, hold.got(), hold.wanted()))
                        .putAllWanted(WireWords.amounts(dimensions, hold.wanted(), hold.wanted()))
                        .setExpiresIn(WireWords.until(hold.expiresAt(), view))
                        .build())
                .toList();
        int queued = view.queuedOn(slot);
        List<String> queue = queue(view, slot);
        Map<String, Long> spare = spare(view, slot, row);
        return () -> {
            Machine.Builder message =
                    message(row, tasks, holds, dimensions).addAllQueue(queue).putAllSpare(spare);
            return queued == 0 ? message.build() : message.setQueued(queued).build();
        };
    }

    /** What its spare tasks use. */
    private static Map<String, Long> spare(CellView view, int slot, MachineRow row) {
        if (view.spareTasksOn(slot) == 0) {
            return Map.of();
        }
        long[] used = new long[view.dimensions().size()];
        Arrays.setAll(used, dimension -> view.spare(slot, dimension));
        return WireWords.amounts(view.dimensions(), Amounts.of(used), row.capacity());
    }

    /** The tasks at the head of its queue. */
    private static List<String> queue(CellView view, int slot) {
        return view.queueOn(slot).stream().limit(QUEUE_MAX).map(QueueRow::text).toList();
    }

    /** The job of a hold, or the scheduler that it is offered to. */
    private static MachineHold.Builder owner(HoldRow hold) {
        MachineHold.Builder row = MachineHold.newBuilder();
        hold.job().ifPresent(job -> row.setJob(job.name()));
        return hold.isOffer()
                ? row.setScheduler(hold.scheduler()).setOffer(hold.offer().toString())
                : row;
    }

    private static Machine.Builder message(
            MachineRow row, List<TaskRow> tasks, List<MachineHold> holds, Dimensions dimensions) {
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
                .addAllTasks(tasks.stream().map(TaskRow::text).sorted().toList())
                .addAllHolds(holds);
        if (!row.capacityWanted().equals(row.capacity())) {
            message.putAllCapacityWanted(WireWords.amounts(dimensions, row.capacityWanted(), row.capacity()));
        }
        return message;
    }
}
