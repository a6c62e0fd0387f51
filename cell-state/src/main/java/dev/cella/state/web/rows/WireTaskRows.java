package dev.cella.state.web.rows;

import dev.cella.client.job.PortNames;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.Task;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.copies.TasksCopy;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import java.util.List;

/** Tasks in the wire contract. */
public final class WireTaskRows {
    private WireTaskRows() {}

    public static Task of(CellView view, JobRow job, TaskRow row) {
        List<String> waitingFor =
                row.waitingFor().stream().map(victim -> text(view, victim)).toList();
        return message(row, job, waitingFor, view.dimensions())
                .addAllQueuedOn(queuedOn(view, job, row))
                .build();
    }

    private static List<String> queuedOn(CellView view, JobRow job, TaskRow row) {
        return view.queuedAt(job.group(row.id().group()), row.id().index()).stream()
                .map(queued -> view.machineName(queued.slot()))
                .toList();
    }

    /** The task of that row, which the copy has made. */
    public static Task of(TasksCopy copy, JobRow job, TaskRow row) {
        return message(row, job, copy.waitingFor(row), copy.dimensions())
                .addAllQueuedOn(copy.queuedOn(row.id()))
                .build();
    }

    private static Task.Builder message(TaskRow row, JobRow job, List<String> waitingFor, Dimensions dimensions) {
        Task.Builder task = Task.newBuilder()
                .setTask(row.text())
                .setAttempt(row.attempt())
                .setState(WireWords.of(row.state()))
                .putAllResources(WireWords.amounts(dimensions, row.resources(), row.resources()))
                .putAllMembers(WireWords.members(dimensions, row.resources().members()))
                .setScheduler(job.header().scheduler())
                .setGeneration(row.generation())
                .addAllWaitingFor(waitingFor)
                .setChangedVersion(row.changedVersion().number());
        row.placement().ifPresent(placement -> task.setPlacement(placement.version() + "." + placement.ordinal()));
        row.machineName().ifPresent(task::setMachine);
        row.origin()
                .ifPresent(origin -> task.setTransaction(origin.transaction().text()));
        row.exitCode().ifPresent(task::setExitCode);
        row.startedAtMillis().ifPresent(millis -> task.setStartedAt(WireWords.time(millis)));
        row.endedAtMillis().ifPresent(millis -> task.setEndedAt(WireWords.time(millis)));
        if (row.reason().isOfCheck()) {
            task.setChecked(row.reason() == TaskReason.CHECKED);
        } else if (row.reason() != TaskReason.NONE) {
            task.setReason(row.reason().name());
        }
        if (row.spare()) {
            task.setSpare(true);
        }
        if (row.failedForGood()) {
            task.setFailedForGood(true);
        }
        putPorts(row, dimensions, job.specification(), task);
        return task;
    }

    /** Only the job has the names of the ports, so it is read only for a task with ports. */
    private static void putPorts(TaskRow row, Dimensions dimensions, Specification specification, Task.Builder task) {
        int place = dimensions.find(PortNames.DIMENSION);
        if (place >= 0 && row.machine().isPresent()) {
            MemberSet held = row.resources().members().at(place);
            Job job = held.isNone() ? Job.getDefaultInstance() : JobRows.specification(specification);
            if (row.id().group() < job.getGroupsCount()) {
                task.putAllPorts(
                        PortNames.assign(job.getGroups(row.id().group()).getPortsMap(), held));
            }
        }
    }

    private static String text(CellView view, TaskId id) {
        return view.task(id).map(TaskRow::text).orElse(id.toString());
    }
}
