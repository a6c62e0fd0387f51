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
 * @param attempt of the task, which was pending; 0 if it was never placed
 * @param expectedSeconds how long it should wait there
 */
record SentTask(JobKey job, TaskId task, int attempt, int machine, Load load, double expectedSeconds, CellTime at) {
    /** After this time, a row that the view does not show was refused. A row that it shows is part of the machine's next matrix. */
    private static final double RECENT_SECONDS_MAX = 5;

    /** Returns whether it was sent a short time ago, and the task has been pending all the time since. */
    boolean isRecent(CellView view, CellTime now) {
        return secondsSince(now) <= RECENT_SECONDS_MAX
                && group(view).filter(group -> isPending(view, group)).isPresent();
    }

    private boolean isPending(CellView view, GroupRow group) {
        return group.isPending(task.index()) && view.task(group, task.index()).attempt() == attempt;
    }

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
