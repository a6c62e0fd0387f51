package dev.cella.state.web.rows;

import dev.cella.client.proto.CellSummary;
import dev.cella.client.proto.MachineCounts;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.MachineStatus;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * The cell as a whole in the wire contract, without its replicas. Amounts are summed over machines that are not DOWN.
 */
public final class CellRow {
    private CellRow() {}

    public static CellSummary.Builder of(CellView view) {
        Map<MachineStatus, Long> machines = new EnumMap<>(MachineStatus.class);
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                machines.merge(view.status(slot), 1L, Long::sum);
            }
        }
        Dimensions dimensions = view.dimensions();
        long[] capacity = new long[dimensions.size()];
        long[] free = new long[dimensions.size()];
        Arrays.setAll(capacity, view::totalCapacity);
        Arrays.setAll(free, view::totalFree);
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

    private static MachineCounts counts(Map<MachineStatus, Long> machines) {
        return MachineCounts.newBuilder()
                .setReady(machines.getOrDefault(MachineStatus.READY, 0L))
                .setDraining(machines.getOrDefault(MachineStatus.DRAINING, 0L))
                .setDrained(machines.getOrDefault(MachineStatus.DRAINED, 0L))
                .setDown(machines.getOrDefault(MachineStatus.DOWN, 0L))
                .build();
    }
}
