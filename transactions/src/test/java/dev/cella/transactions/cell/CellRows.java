package dev.cella.transactions.cell;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.MachineTable;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Everything that a cell shows, for comparison: a row of values for each thing. */
final class CellRows {
    static List<List<Object>> of(Cell cell) {
        CellView view = cell.view();
        List<List<Object>> rows = new ArrayList<>();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                rows.add(machineRow(view, slot));
            }
        }
        for (JobRow job : view.jobs()) {
            long progress = job.progress().digest();
            rows.add(List.of(
                    "job",
                    job.id().version(),
                    job.state(),
                    job.generation(),
                    job.updatedVersion(),
                    job.header(),
                    progress,
                    job.stopGraceMillis(),
                    askedRow(job)));
        }
        for (JobRow job : view.jobs()) {
            for (GroupRow group : job.groups()) {
                for (int index = 0; index < Math.max(group.header().count(), group.rowsEnd()); index++) {
                    view.task(new TaskId(job.id(), group.place(), index)).ifPresent(task -> rows.add(taskRow(task)));
                }
            }
        }
        List<Object> sessions = new ArrayList<>();
        view.sessions().forEach(session -> sessions.add(session.id().version()));
        rows.add(List.of("sessions", sessions));
        for (SessionRow session : view.sessions()) {
            session.offers()
                    .ifPresent(offers -> rows.add(List.of(
                            "offers",
                            session.id().version(),
                            offers,
                            session.suppressed(),
                            view.offersRefused(session.id()))));
        }
        rows.add(List.of("tokens", List.copyOf(view.tokens())));
        rows.add(List.of("horizon", cell.horizon().number()));
        return rows;
    }

    private static List<Object> askedRow(JobRow job) {
        List<Object> row = new ArrayList<>();
        for (GroupRow group : job.groups()) {
            row.add(group.askedVersion());
            row.add(group.askedCount());
        }
        return row;
    }

    private static List<Object> machineRow(CellView view, int slot) {
        MachineTable machines = view.tables().machines;
        List<Object> row =
                new ArrayList<>(List.of("machine", slot, view.machineName(slot), view.registeredVersion(slot)));
        row.add(machines.isDraining(slot));
        row.add(Optional.ofNullable(machines.drain(slot)));
        row.add(machines.isDown(slot));
        row.add(view.tasksOn(slot));
        for (int dimension = 0; dimension < view.dimensions().size(); dimension++) {
            row.add(view.capacity(slot, dimension));
            row.add(view.free(slot, dimension));
            if (view.dimensions().isSet(dimension)) {
                row.add(machines.members(slot).capacity().at(dimension));
            }
        }
        row.add(view.claimedVersion(slot));
        for (HoldRow hold : view.holdsOn(slot)) {
            row.add(List.of("hold", hold.owner(), hold.got(), hold.wanted()));
        }
        for (QueueRow queued : view.queueOn(slot)) {
            row.add(List.of("queued", queued.task(), queued.origin().version()));
        }
        return row;
    }

    private static List<Object> taskRow(TaskRow task) {
        return List.of(
                "task",
                task.id(),
                task.state(),
                task.reason(),
                task.attempt(),
                task.failures(),
                task.machine().orElse(-1),
                task.waitingFor(),
                task.state().isOnMachine() ? task.resources() : Amounts.NONE,
                task.state().isOnMachine() && task.spare());
    }

    private CellRows() {}
}
