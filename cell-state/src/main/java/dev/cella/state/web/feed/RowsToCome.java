package dev.cella.state.web.feed;

import dev.cella.client.json.JsonCodec;
import dev.cella.client.proto.Machine;
import dev.cella.state.web.feed.ChangedRow.Belonging;
import dev.cella.state.web.feed.ChangedRow.Kind;
import dev.cella.state.web.rows.WireMachineRows;
import dev.cella.state.web.rows.WireTaskRows;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.copies.MachinesCopy;
import dev.cella.transactions.cell.copies.TasksCopy;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The rows of a snapshot that its reader has not taken yet.
 *
 * <p>Machines and tasks are many, so each of their rows is made when it is taken, from copies that share their pages with the
 * cell. A row that was taken is not kept here. Used by one thread at a time, which need not own the cell.
 */
final class RowsToCome {
    private final FeedFilter filter;
    private final JsonCodec codec;

    /** The parts that are not begun. */
    private final Deque<Supplier<Iterator<ChangedRow>>> parts = new ArrayDeque<>();

    private Iterator<ChangedRow> begun = Collections.emptyIterator();

    /** Call this on the thread that owns the cell, between two frames. */
    RowsToCome(CellReplica cell, FeedFilter filter, JsonCodec codec) {
        this.filter = filter;
        this.codec = codec;
        if (filter.mayShowMachines()) {
            MachinesCopy machines = cell.copyMachines();
            parts.add(() -> machines(machines));
        }
        RowMaker rows = new RowMaker(codec, cell.view(), filter.brief());
        addMade(cell.view().jobs().stream().map(rows::keptJob));
        List<JobRow> jobs =
                cell.view().jobs().stream().filter(filter::mayShowTasksOf).toList();
        if (!jobs.isEmpty()) {
            TasksCopy tasks = cell.copyTasks(jobs);
            tasks.jobs().forEach(job -> job.groups().forEach(group -> parts.add(() -> tasks(tasks, group))));
        }
        addMade(cell.view().sessions().stream().map(rows::session));
    }

    /** Rows that are made now. */
    private void addMade(Stream<ChangedRow> rows) {
        Deque<ChangedRow> made = rows.filter(filter::shows).collect(Collectors.toCollection(ArrayDeque::new));
        int count = made.size();
        parts.add(() -> Stream.generate(made::remove).limit(count).iterator());
    }

    private Iterator<ChangedRow> machines(MachinesCopy machines) {
        return IntStream.range(0, machines.count())
                .map(machines::slotAt)
                .mapToObj(slot -> machine(machines, slot))
                .filter(filter::shows)
                .iterator();
    }

    private ChangedRow machine(MachinesCopy machines, int slot) {
        String name = machines.machine(slot).name();
        Supplier<Machine> row =
                () -> filter.brief() ? WireMachineRows.brief(machines, slot) : WireMachineRows.of(machines, slot);
        return ChangedRow.of(Kind.MACHINE, name, Belonging.toMachine(name), new RowImage(row, codec));
    }

    /** Tasks that were placed at least once. The state of the others follows from their group. */
    private Iterator<ChangedRow> tasks(TasksCopy tasks, GroupRow group) {
        return IntStream.range(0, group.header().count())
                .mapToObj(index -> tasks.task(group, index))
                .filter(task -> task.attempt() > 0)
                .map(task -> task(tasks, group.job(), task))
                .filter(filter::shows)
                .iterator();
    }

    private ChangedRow task(TasksCopy tasks, JobRow job, TaskRow task) {
        return ChangedRow.of(
                Kind.TASK,
                task.text(),
                RowMaker.belonging(job, task),
                new RowImage(() -> WireTaskRows.of(tasks, job, task), codec));
    }

    /** The next rows, fewer than that number only if there are no more. */
    List<ChangedRow> take(int rowsMax) {
        List<ChangedRow> taken = new ArrayList<>();
        while (taken.size() < rowsMax && !isOver()) {
            taken.add(begun.next());
        }
        return taken;
    }

    boolean isOver() {
        while (!begun.hasNext() && !parts.isEmpty()) {
            begun = parts.remove().get();
        }
        return !begun.hasNext();
    }
}
