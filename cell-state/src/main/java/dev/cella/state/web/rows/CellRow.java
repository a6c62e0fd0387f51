package dev.cella.state.web.rows;

import dev.cella.client.proto.CellSummary;
import dev.cella.client.proto.MachineCounts;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.MachineStatus;
import java.util.EnumMap;
import java.util.Map;

/**
 * The cell as a whole in the wire contract, without its replicas. Amounts are summed over machines that are not DOWN.
 */
public final class CellRow {
    private CellRow() {}

    public static CellSummary.Builder of(CellView view) {
        Map<MachineStatus, Long> machines = new EnumMap<>(MachineStatus.class);
        long[] capacity = new long[view.dimensions().size()];
        long[] free = new long[view.dimensions().size()];
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                machines.merge(view.status(slot), 1L, Long::sum);
                add(view, slot, capacity, free);
            }
        }
        Dimensions dimensions = view.dimensions();
        CellSummary.Builder summary = CellSummary.newBuilder()
                .setName(view.name().map(CellName::text).orElse(""))
                .setIncarnation(view.incarnation().toString())
                .setVersion(view.version().number())
                .setMachines(counts(machines))
                .setTasks(JobRows.counts(view.taskCounts()))
                .putAllCapacity(WireWords.amounts(dimensions, Amounts.of(capacity), Amounts.of(capacity)))
                .putAllFree(WireWords.amounts(dimensions, Amounts.of(free), Amounts.of(capacity)));
        return view.spareTasks() == 0 ? summary : summary.setSpareTasks(view.spareTasks());
    }

    private static void add(CellView view, int slot, long[] capacity, long[] free) {
        if (view.status(slot) == MachineStatus.DOWN) {
            return;
        }
        for (int dimension = 0; dimension < capacity.length; dimension++) {
            capacity[dimension] = sum(capacity[dimension], view.capacity(slot, dimension));
            free[dimension] = sum(free[dimension], view.free(slot, dimension));
        }
    }

    /** A sum is an amount too, so it stops at the largest amount. */
    private static long sum(long one, long other) {
        return Math.min(one + other, Amounts.AMOUNT_MAX);
    }

    private static MachineCounts counts(Map<MachineStatus, Long> machines) {
        return MachineCounts.newBuilder()
                .setReady(machines.getOrDefault(MachineStatus.READY, 0L))
                .setDraining(machines.getOrDefault(MachineStatus.DRAINING, 0L))
                .setDrained(machines.getOrDefault(MachineStatus.DRAINED, 0L))
                .setDown(machines.getOrDefault(MachineStatus.DOWN, 0L))
                .build();
    }
}
