package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Command.MachineChange;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The index of a machine's tasks has the tasks that a scan over the cell finds, and a walk over it visits no others. */
class TasksOfMachineTest {
    private static final int SEEDS = 8;
    private static final int COMMANDS = 1_500;

    @Test
    void index_alongHistories_hasWhatAScanFinds() {
        int ended = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            ended += play(seed);
        }
        assertThat(ended)
                .as("tasks that ended on a machine and are in its list")
                .isGreaterThan(1_000);
    }

    /** Returns how many ended tasks the lists had at the comparisons. */
    private static int play(int seed) {
        Cell cell = new Cell(new CellLimits(2_000, 1_000_000, 3));
        CellReplica copy = new CellReplica();
        History history = new History(seed, cell);
        Set<String> names = new TreeSet<>();
        int ended = 0;
        for (int command = 1; command <= COMMANDS; command++) {
            cell.apply(new EntryHeader(1, new CellTime(command), command, Incarnation.UNSAID), history.next());
            copy.applyChanges(cell.takeChanges());
            if (command % 10 == 0) {
                cell.view().checkTruths();
                IntStream.range(0, cell.view().machineSlots())
                        .mapToObj(cell.view()::machineName)
                        .forEach(names::add);
                assertSame(seed, names, cell.view());
                assertSame(seed, names, copy.view());
                ended += ended(names, cell.view());
            }
        }
        Cell loaded = new Cell(cell.limits());
        loaded.load(cell.snapshot());
        assertSame(seed, names, loaded.view());
        return ended;
    }

    private static int ended(Set<String> names, CellView view) {
        return (int) names.stream()
                .flatMap(name -> listed(view, name).stream())
                .filter(task -> view.task(task).orElseThrow().state().isEnded())
                .count();
    }

    private static void assertSame(int seed, Set<String> names, CellView view) {
        Map<String, Set<String>> scanned = scan(view);
        assertThat(names).containsAll(scanned.keySet());
        for (String name : names) {
            assertThat(view.tasksLastOn(name)).isEqualTo(listed(view, name).size());
            assertThat(listed(view, name).stream().map(TaskId::toString))
                    .as("seed %s, machine %s", seed, name)
                    .containsExactlyInAnyOrderElementsOf(scanned.getOrDefault(name, Set.of()));
        }
    }

    private static List<TaskId> listed(CellView view, String machine) {
        List<TaskId> listed = new ArrayList<>();
        view.forEachTaskLastOn(machine, (group, index) -> listed.add(id(group, index)));
        return listed;
    }

    /** By machine, the tasks with a row that are, or were last, on it. */
    private static Map<String, Set<String>> scan(CellView view) {
        Map<String, Set<String>> found = new TreeMap<>();
        for (JobRow job : view.jobs()) {
            for (GroupRow group : job.groups()) {
                for (int index = 0; index < group.rowsEnd(); index++) {
                    int slot = view.lastMachineOf(group, index);
                    if (slot >= 0) {
                        found.computeIfAbsent(view.machineName(slot), name -> new TreeSet<>())
                                .add(id(group, index).toString());
                    }
                }
            }
        }
        return found;
    }

    private static TaskId id(GroupRow group, int index) {
        return new TaskId(group.job().id(), group.place(), index);
    }

    @Test
    void removedMachinesOfOneName_haveTheirTasksTogether() {
        TestCell cell = new TestCell();
        cell.job("j", 3, 1_000, 1_024);
        for (int index = 0; index < 2; index++) {
            cell.machine("m", 4_000, 8_192);
            cell.place("j", index, "m");
            cell.change("m", MachineChange.REMOVE, true);
        }
        assertThat(listed(cell.view(), "m")).containsExactlyInAnyOrder(cell.task("j", 0), cell.task("j", 1));
        cell.commit(cell.transaction("again").step(new Step(Step.Kind.AGAIN, cell.task("j", 0), 1)));
        cell.machine("m", 4_000, 8_192);
        cell.place("j", 2, "m");
        assertThat(listed(cell.view(), "m")).containsExactlyInAnyOrder(cell.task("j", 1), cell.task("j", 2));
        assertThat(listed(cell.reloaded().view(), "m")).containsExactlyInAnyOrder(cell.task("j", 1), cell.task("j", 2));
    }

    /** The cell has 2,000 tasks; 3 of them were on the machine. */
    @Test
    void list_inACellOfManyTasks_visitsThoseOfTheMachineAlone() {
        TestCell cell = new TestCell(CellLimits.STANDARD, false);
        cell.machine("small", 4_000, 8_192);
        cell.machine("large", 4_000_000, 8_192_000);
        cell.job("j", 2_000, 1_000, 1_024);
        for (int index = 0; index < 2_000; index++) {
            cell.place("j", index, index % 700 == 0 ? "small" : "large");
            if (index % 2 == 0) {
                cell.report("j", index, TaskState.FAILED);
            }
        }
        int[] visited = new int[1];
        cell.view().forEachTaskLastOn("small", (group, index) -> visited[0]++);
        assertThat(visited[0]).isEqualTo(3);
        cell.apply(new Command.LoseMachine(cell.machineId("large")));
        visited[0] = 0;
        cell.view().forEachTaskLastOn("small", (group, index) -> visited[0]++);
        assertThat(visited[0]).isEqualTo(3);
    }
}
