package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cella.transactions.cell.copies.TasksCopy;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TasksCopyTest {
    /** Everything that a list shows of a task. */
    private record Shown(TaskRow task, TaskState state, int machine, List<String> waitingFor, List<String> queuedOn) {}

    private static List<Shown> shown(CellView view) {
        List<Shown> all = new ArrayList<>();
        for (JobRow job : view.jobs()) {
            job.groups().forEach(group -> {
                for (int index = 0; index < group.header().count(); index++) {
                    TaskRow task = view.task(group, index);
                    all.add(new Shown(
                            task,
                            view.taskState(group, index),
                            view.lastMachineOf(group, index),
                            task.waitingFor().stream()
                                    .map(victim -> text(view, victim))
                                    .toList(),
                            view.queuedAt(group, index).stream()
                                    .map(queued -> view.machineName(queued.slot()))
                                    .toList()));
                }
            });
        }
        return all;
    }

    private static String text(CellView view, TaskId task) {
        return view.task(task).orElseThrow().text();
    }

    private static List<Shown> shown(TasksCopy copy) {
        List<Shown> all = new ArrayList<>();
        for (JobRow job : copy.jobs()) {
            job.groups().forEach(group -> {
                for (int index = 0; index < group.header().count(); index++) {
                    TaskRow task = copy.task(group, index);
                    all.add(new Shown(
                            task,
                            copy.state(group, index),
                            task.machine().orElse(-1),
                            copy.waitingFor(task),
                            copy.queuedOn(task.id())));
                }
            });
        }
        return all;
    }

    /** Together these histories show one of everything. A new feature level changes what a seed draws. */
    @Test
    void copy_readAfterItsCellWentOn_isTheCellOfItsMoment() {
        List<Shown> rows = new ArrayList<>();
        for (int seed : List.of(13, 16, 24)) {
            rows.addAll(copiedRows(seed));
        }
        assertThat(rows).anyMatch(row -> !row.waitingFor().isEmpty());
        assertThat(rows).anyMatch(row -> !row.queuedOn().isEmpty());
        assertThat(rows).anyMatch(row -> row.state() == TaskState.KILLED && row.machine() < 0);
        assertThat(rows).anyMatch(row -> row.state() == TaskState.RUNNING);
    }

    private static List<Shown> copiedRows(int seed) {
        Cell cell = new Cell(new CellLimits(2_000, 1_000_000, 3));
        History history = new History(seed, cell);
        List<TasksCopy> copies = new ArrayList<>();
        List<List<Shown>> then = new ArrayList<>();
        for (int command = 1; command <= 2_000; command++) {
            cell.apply(new EntryHeader(1, new CellTime(command), command, Incarnation.UNSAID), history.next());
            if (command % 100 == 0) {
                copies.add(cell.copyTasks(cell.view().jobs()));
                then.add(shown(cell.view()));
            }
        }
        for (int place = 0; place < copies.size(); place++) {
            assertThat(shown(copies.get(place))).isEqualTo(then.get(place));
        }
        return then.stream().flatMap(List::stream).toList();
    }

    /** Commits wait for it, so it must not read a task: the rows of as many tasks take 200 bytes and more each. */
    @Test
    void copy_ofManyTasks_isListsOfPagesAndNumbersOfRows() {
        int tasks = 20_000;
        TestCell cell = new TestCell(CellLimits.STANDARD, false);
        cell.machine("m", 1_000L * tasks, 1_000L * tasks);
        cell.job("j", tasks, 10, 10);
        for (int index = 0; index < tasks; index++) {
            cell.place("j", index, "m");
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        TasksCopy copy = cell.cell.copyTasks(cell.view().jobs());
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(copy.jobs()).hasSize(1);
        assertThat(bytes).isLessThan(16L * tasks);
    }
}
