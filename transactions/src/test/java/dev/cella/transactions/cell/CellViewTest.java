package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Two ways to ask for the same thing give one answer, along a random history. Also tests the methods that only readers call.
 */
class CellViewTest {
    private static final List<String> SCHEDULERS = List.of("batch", "web");

    private final Cell cell = new Cell(new CellLimits(100, 1_000_000, 3));
    private final CellView view = cell.view();

    /** By the machine's slot. */
    private final Map<Integer, KeptPerTask<TaskRow>> keptRows = new TreeMap<>();

    private long versionBefore;

    @Test
    void view_alongAHistory_saysTheSameHoweverItIsAsked() {
        History history = new History(3, cell);
        for (long millis = 1; millis <= 1_500; millis++) {
            cell.apply(new EntryHeader(1, new CellTime(millis), 7 * millis, Incarnation.UNSAID), history.next());
            assertThat(view.time()).isEqualTo(new CellTime(millis));
            assertThat(view.wallTimeMillis()).isEqualTo(7 * millis);
            checkMachines();
            checkJobs();
            checkSessions();
            versionBefore = view.version().number();
        }
    }

    private void checkMachines() {
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                checkMachine(slot, view.machine(slot));
            } else {
                assertThat(view.isReady(slot)).isFalse();
            }
        }
        assertThat(view.findMachine("nowhere")).isEmpty();
        assertThat(view.machine("nowhere")).isEmpty();
    }

    private void checkMachine(int slot, MachineRow machine) {
        assertThat(view.findMachine(machine.name())).hasValue(slot);
        assertThat(view.findMachine(machine.id())).hasValue(slot);
        assertThat(view.machine(machine.name())).contains(machine);
        assertThat(view.isReady(slot)).isEqualTo(machine.status() == MachineStatus.READY);
        assertThat(view.status(slot)).isEqualTo(machine.status());
        assertThat(view.changedVersion(slot)).isEqualTo(machine.changedVersion().number());
        assertThat(view.claimedVersion(slot)).isEqualTo(machine.claimedVersion().number());
        boolean shrinks = !machine.capacity().equals(machine.capacityWanted());
        assertThat(shrinks || view.fits(slot, machine.free())).isTrue();
        assertThat(view.fits(slot, machine.free().plus(Amounts.of(0, 1)))).isFalse();
        List<TaskId> tasks = new ArrayList<>();
        List<TaskRow> rows = new ArrayList<>();
        view.forEachTaskOn(slot, task -> {
            assertThat(task.machine()).hasValue(slot);
            assertThat(task.state().isOnMachine()).isTrue();
            assertThat(view.machineOf(task.id())).isEqualTo(slot);
            tasks.add(task.id());
            rows.add(task);
        });
        assertThat(keptRows.computeIfAbsent(slot, first -> new KeptPerTask<>(this::made, CellViewTest::standsAlone))
                        .on(view, slot))
                .isEqualTo(rows);
        assertThat(tasks).hasSize(machine.tasks()).hasSize(view.tasksOn(slot)).doesNotHaveDuplicates();
        checkHoldingTasks(slot, rows);
    }

    private void checkHoldingTasks(int slot, List<TaskRow> rows) {
        Iterator<TaskRow> expected = rows.iterator();
        view.forEachHoldingTaskOn(slot, (group, index, state, amounts, placedVersion) -> {
            TaskRow row = expected.next();
            assertThat(new TaskId(group.job().id(), group.place(), index)).isEqualTo(row.id());
            assertThat(state).isEqualTo(row.state());
            assertThat(amounts).isEqualTo(row.resources());
            assertThat(placedVersion).isEqualTo(row.placement().orElseThrow().version());
        });
        assertThat(expected.hasNext()).isFalse();
    }

    /** A row is made again only if it has changed, or depends on others. */
    private TaskRow made(TaskRow task) {
        assertThat(task).matches(each -> each.changedVersion().number() > versionBefore || !standsAlone(each));
        return task;
    }

    private static boolean standsAlone(TaskRow task) {
        return task.waitingFor().isEmpty();
    }

    private void checkJobs() {
        int pending = 0;
        for (JobRow job : view.jobs()) {
            assertThat(view.job(job.id())).containsSame(job);
            assertThat(view.pendingJobs(job.header().scheduler()).contains(job)).isEqualTo(job.pending() > 0);
            assertThat(job.groups().stream().mapToInt(GroupRow::pending).sum()).isEqualTo(job.pending());
            assertThat(job.groups().stream().mapToInt(GroupRow::onMachines).sum())
                    .isEqualTo(job.counts().onMachines());
            assertThat(job.groups().stream().mapToInt(GroupRow::failedForGood).sum())
                    .isEqualTo(job.failedForGood());
            assertThat(job.endedAtMillis().isPresent()).isEqualTo(job.isEnded());
            job.groups().forEach(this::checkGroup);
            pending += job.pending();
        }
        assertThat(view.taskCounts().of(TaskState.PENDING)).isEqualTo(pending);
        SCHEDULERS.forEach(scheduler -> assertThat(view.pendingJobs(scheduler))
                .allMatch(job -> job.header().scheduler().equals(scheduler)));
    }

    private void checkGroup(GroupRow group) {
        int[] pending = IntStream.range(0, group.header().count())
                .filter(group::isPending)
                .toArray();
        assertThat(IntStream.iterate(group.nextPending(0), index -> index >= 0, index -> group.nextPending(index + 1))
                        .toArray())
                .isEqualTo(pending);
        assertThat(pending).hasSize(group.pending());
        for (int index = 0; index < group.header().count(); index++) {
            TaskRow task = view.task(group, index);
            assertThat(view.task(task.id())).contains(task);
            assertThat(view.taskState(group, index)).isEqualTo(task.state());
            assertThat(view.lastMachineOf(task.id())).isEqualTo(task.machine().orElse(-1));
            int machine = view.machineOf(group, index);
            assertThat(machine >= 0).isEqualTo(task.state().isOnMachine());
            assertThat(machine < 0 || task.machine().getAsInt() == machine).isTrue();
        }
        int beyond = Math.max(group.header().count(), group.rowsEnd());
        assertThat(view.task(new TaskId(group.job().id(), group.place(), beyond)))
                .isEmpty();
        assertThat(view.task(new TaskId(group.job().id(), group.job().groupCount(), 0)))
                .isEmpty();
    }

    private void checkSessions() {
        for (SessionRow session : view.sessions()) {
            assertThat(view.session(session.id())).contains(session);
            assertThat(view.session(session.scheduler(), session.instance())).contains(session);
        }
        assertThat(view.session(new SessionId(Long.MAX_VALUE))).isEmpty();
    }

    // ---- methods that only readers call

    @Test
    void machine_showsItsRegistration() {
        TestCell registered = new TestCell();
        AgentIdentity agent = new AgentIdentity("boot", "127.0.0.1:1", 10_000);
        registered.apply(new Command.PutMachine(
                "m", Amounts.of(4_000), new TreeMap<>(Map.of("rack", "r1")), Optional.of(agent), false));
        int slot = registered.slot("m");
        assertThat(registered.view().attributes(slot)).containsExactly(Map.entry("rack", "r1"));
        assertThat(registered.view().agent(slot)).contains(agent);
        assertThat(registered.view().drain(slot)).isEmpty();
        registered.apply(new Command.DrainMachine(registered.machineId("m"), 500, Drain.BatchTasks.MOVE));
        assertThat(registered.view().drain(slot))
                .contains(new Drain(registered.header().cellTime().plusMillis(500), Drain.BatchTasks.MOVE));
    }

    @Test
    void nextPending_inALargeGroup_skipsWhatIsPlaced() {
        TestCell large = new TestCell();
        large.machine("m", 1_000_000, 1_000_000);
        large.job("j", 200, 1, 1);
        GroupRow group = large.jobRow("j").group(0);
        IntStream.range(0, 130).forEach(index -> large.place("j", index, "m"));
        assertThat(group.nextPending(0)).isEqualTo(130);
        assertThat(group.nextPending(131)).isEqualTo(131);
        assertThat(group.nextPending(199)).isEqualTo(199);
        assertThat(group.nextPending(200)).isEqualTo(-1);
        large.place("j", 199, "m");
        assertThat(group.nextPending(199)).isEqualTo(-1);
        large.apply(new Command.StopJob(large.jobRow("j").id()));
        assertThat(group.nextPending(0)).isEqualTo(-1);
        assertThat(group.pending()).isZero();
    }
}
