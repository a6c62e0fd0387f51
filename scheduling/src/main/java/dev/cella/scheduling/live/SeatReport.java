package dev.cella.scheduling.live;

import com.google.protobuf.util.Durations;
import dev.cella.client.proto.CellReport;
import dev.cella.client.proto.MachineCounts;
import dev.cella.client.proto.TaskCounts;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.TaskState;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** One of several cells in the wire contract, as the scheduler's private replica shows it. */
final class SeatReport {
    private SeatReport() {}

    /**
     * @param heardAgo the time since a frame of the cell; empty: never
     * @param repartitions as {@link dev.cella.scheduling.Scheduler#repartitions}
     */
    static CellReport of(LiveSeat seat, Optional<Duration> heardAgo, long repartitions) {
        CellReport.Builder report = CellReport.newBuilder()
                .setPlanning(seat.isTaken() && seat.isReached())
                .setClaimsAccepted(seat.claims.accepted())
                .setClaimsConflicted(seat.claims.conflicted())
                .setRepartitions(repartitions);
        seat.cell.all().stream().map(URI::toString).forEach(report::addAddresses);
        heardAgo.map(ago -> Durations.fromMillis(ago.toMillis())).ifPresent(report::setHeardAgo);
        if (seat.view().isFounded()) {
            show(seat.view(), report);
        }
        return report.build();
    }

    private static void show(CellView view, CellReport.Builder report) {
        report.setName(view.name().map(CellName::text).orElse(""))
                .setIncarnation(view.incarnation().toString())
                .setVersion(view.version().number())
                .setMachines(machines(view))
                .setTasks(tasks(view));
    }

    private static MachineCounts machines(CellView view) {
        Map<MachineStatus, Long> counts = new EnumMap<>(MachineStatus.class);
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                counts.merge(view.status(slot), 1L, Long::sum);
            }
        }
        return MachineCounts.newBuilder()
                .setReady(counts.getOrDefault(MachineStatus.READY, 0L))
                .setDraining(counts.getOrDefault(MachineStatus.DRAINING, 0L))
                .setDrained(counts.getOrDefault(MachineStatus.DRAINED, 0L))
                .setDown(counts.getOrDefault(MachineStatus.DOWN, 0L))
                .build();
    }

    private static TaskCounts tasks(CellView view) {
        var counts = view.taskCounts();
        return TaskCounts.newBuilder()
                .setPending(counts.of(TaskState.PENDING))
                .setPlaced(counts.of(TaskState.PLACED))
                .setRunning(counts.of(TaskState.RUNNING))
                .setStopping(counts.of(TaskState.STOPPING))
                .setFinished(counts.of(TaskState.FINISHED))
                .setFailed(counts.of(TaskState.FAILED))
                .setKilled(counts.of(TaskState.KILLED))
                .setPreempted(counts.of(TaskState.PREEMPTED))
                .setLost(counts.of(TaskState.LOST))
                .build();
    }
}
