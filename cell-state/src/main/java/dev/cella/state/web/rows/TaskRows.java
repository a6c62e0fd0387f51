package dev.cella.state.web.rows;

import dev.cella.client.proto.Task;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.cell.TaskRow;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import java.util.List;
import java.util.function.Supplier;

/** Tasks as the wire contract shows them. */
public final class TaskRows {
    private TaskRows() {}

    public static Task of(CellView view, JobRow job, TaskRow row) {
        return kept(view, job, row).get();
    }

    /** The task as it is now, to be made into a message later. */
    public static Supplier<Task> kept(CellView view, JobRow job, TaskRow row) {
        String scheduler = job.header().scheduler();
        Dimensions dimensions = view.dimensions();
        List<String> waitingFor =
                row.waitingFor().stream().map(victim -> text(view, victim)).toList();
        return () -> message(row, scheduler, waitingFor, dimensions);
    }

    private static Task message(TaskRow row, String scheduler, List<String> waitingFor, Dimensions dimensions) {
        Task.Builder task = Task.newBuilder()
                .setTask(row.text())
                .setAttempt(row.attempt())
                .setState(Words.of(row.state()))
                .putAllResources(Words.amounts(dimensions, row.resources(), row.resources()))
                .putAllMembers(Words.members(dimensions, row.resources().members()))
                .setScheduler(scheduler)
                .addAllWaitingFor(waitingFor)
                .setChangedVersion(row.changedVersion().number());
        row.placement().ifPresent(placement -> task.setPlacement(placement.version() + "." + placement.ordinal()));
        row.machineName().ifPresent(task::setMachine);
        row.origin()
                .ifPresent(origin -> task.setTransaction(origin.transaction().text()));
        row.exitCode().ifPresent(task::setExitCode);
        row.startedAtMillis().ifPresent(millis -> task.setStartedAt(Words.time(millis)));
        row.endedAtMillis().ifPresent(millis -> task.setEndedAt(Words.time(millis)));
        if (row.reason() != TaskReason.NONE) {
            task.setReason(row.reason().name());
        }
        return task.build();
    }

    private static String text(CellView view, TaskId id) {
        return view.task(id).map(TaskRow::text).orElse(id.toString());
    }
}
