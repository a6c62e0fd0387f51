package dev.cella.transactions.cell.copies;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskFacts;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tasks of some jobs at one version. They stay as they are while the cell goes on, and any thread may read them.
 *
 * <p>A list of tasks that is made under the lock of the cell holds up every commit for as long as it takes to make all rows.
 * This copy takes one list of pages per table and, for each group, four bytes a task: which row the task has. It shares its
 * pages with the cell, which clones a page when it first writes to it after the copy.
 */
public final class TasksCopy {
    private final CellVersion version;
    private final Dimensions dimensions;
    private final TaskFacts facts;
    private final List<JobRow> jobs;
    private final Map<TaskId, List<QueueRow>> queued = new HashMap<>();

    /** Call this on the thread that applies, between two entries, or while nobody else reads. */
    public TasksCopy(Tables tables, Collection<JobRow> jobs) {
        version = new CellVersion(tables.version());
        dimensions = tables.dimensions();
        facts = tables.facts.copy();
        this.jobs = jobs.stream().map(JobRow::copy).toList();
        this.jobs.forEach(job -> job.groups().forEach(group -> copyQueued(tables, group)));
    }

    private void copyQueued(Tables tables, GroupRow group) {
        group.queued().forEach(index -> queued.put(id(group, index), List.copyOf(tables.queues.of(group, index))));
    }

    private static TaskId id(GroupRow group, int index) {
        return new TaskId(group.job().id(), group.place(), index);
    }

    public CellVersion version() {
        return version;
    }

    public Dimensions dimensions() {
        return dimensions;
    }

    /** The jobs in the order in which they were asked for. The methods below take their groups. */
    public List<JobRow> jobs() {
        return jobs;
    }

    public TaskRow task(GroupRow group, int index) {
        return TaskRow.of(facts, group, index);
    }

    /** The state of the task at that index of the group. This makes no row. */
    public TaskState state(GroupRow group, int index) {
        return facts.stateOf(group, index);
    }

    /** The names of the machines in whose queues the task waits. */
    public List<String> queuedOn(TaskId task) {
        return queued.getOrDefault(task, List.of()).stream()
                .map(row -> facts.machines().name(row.slot()))
                .toList();
    }

    /** The victims whose end the task waits for, each as "job/group/index". All of them are on its machine. */
    public List<String> waitingFor(TaskRow task) {
        return task.waitingFor().stream()
                .map(victim -> text(task.machine().orElseThrow(), victim))
                .toList();
    }

    private String text(int slot, TaskId task) {
        TaskTable tasks = facts.tasks();
        for (int row = facts.machines().firstTask(slot); row != TaskTable.NO_ROW; row = tasks.nextOnMachine(row)) {
            if (id(tasks.group(row), tasks.index(row)).equals(task)) {
                return tasks.group(row).text(tasks.index(row));
            }
        }
        return task.toString();
    }
}
