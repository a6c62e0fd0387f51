package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduling.JobKey;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.waits.QueueForecast.Load;
import java.util.Optional;

/**
 * A task that was sent to the queue of a machine, and the estimate by which that was decided.
 *
 * @param load the amounts that it asks for, and how long it should run
 * @param expectedSeconds how long it should wait there
 */
record SentTask(JobKey job, TaskId task, int machine, Load load, double expectedSeconds, CellTime at) {
    /** Its group, if its job is still there. */
    Optional<GroupRow> group(CellView view) {
        return view.job(task.job()).map(row -> group(row, task.group()));
    }

    private static GroupRow group(JobRow job, int place) {
        return job.group(place);
    }

    /** Returns whether the view shows its row at that machine. */
    boolean isIn(CellView view, GroupRow group) {
        return view.queuedAt(group, task.index()).stream().map(QueueRow::slot).anyMatch(slot -> slot == machine);
    }

    double secondsSince(CellTime now) {
        return (now.millis() - at.millis()) / 1_000.0;
    }
}
