package dev.cella.transactions.cell.tables;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.cell.TestCell;
import dev.cella.transactions.codec.TaskSteps;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.Invariants.BrokenInvariantException;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.TransactionId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A check that never fails checks nothing: each planted lie about a cell is found, with its subject. */
class TruthsTest {
    private static final Amounts CORE = Amounts.of(1_000);
    private static final int MACHINE = 0;

    /** One machine with a placed task, a pending one and one that failed for good, and a hold, all in a pool of a pool. */
    private static TestCell cell() {
        TestCell cell = new TestCell();
        cell.machine("m", 4_000, 8_192);
        cell.job("j", 3, 1_000, 1_024);
        cell.place("j", 0, "m");
        for (int attempt = 1; attempt <= 3; attempt++) {
            cell.place("j", 1, "m");
            cell.report("j", 1, TaskState.FAILED);
            cell.commit(
                    cell.transaction("again-" + attempt).step(new Step(Step.Kind.AGAIN, cell.task("j", 1), attempt)));
        }
        cell.commit(
                cell.transaction("hold").hold(new HoldRequest(cell.jobRow("j").id(), MACHINE, CORE, 60_000)));
        return cell;
    }

    private static Map<String, Consumer<TestCell>> lies() {
        Map<String, Consumer<TestCell>> lies = new LinkedHashMap<>();
        lies.put(
                "free and held do not make capacity",
                cell -> tables(cell).machines.release(MACHINE, CORE, 1));
        lies.put(
                "their totals say something else",
                cell -> tables(cell).machines.totals.countFree(CORE, 1));
        lies.put("machine 0 counts 1 tasks", cell -> tables(cell).machines.countTask(MACHINE, 1));
        lies.put("a hold lacks what is free there", cell -> {
            HoldTable holds = tables(cell).holds;
            Origin by = holds.on(MACHINE).get(0).origin();
            holds.put(new HoldRow(by, 1, cell.jobRow("j"), MACHINE, CORE, 60_000));
        });
        lies.put("was claimed in the future", cell -> claim(cell, 1_000));
        lies.put("before it was registered", cell -> claim(cell, 1));
        lies.put("holds amounts though it ended", cell -> end(cell, row(cell, 0)));
        lies.put(
                "a pool's use",
                cell -> tables(cell).policies.add(cell.jobRow("j").pool(), CORE, 1));
        lies.put("the jobs count", cell -> tables(cell).counts.add(TaskState.PENDING, 1));
        lies.put("counts its tasks in state", cell -> {
            cell.jobRow("j").counts().add(TaskState.PENDING, 1);
            tables(cell).counts.add(TaskState.PENDING, 1);
        });
        lies.put("on machines", cell -> cell.jobRow("j").group(0).countOnMachines(1));
        lies.put("as failed", cell -> cell.jobRow("j").group(0).countForGood(TaskState.FAILED, TaskReason.NONE));
        lies.put("0 jobs of priority", cell -> {
            JobRow job = cell.jobRow("j");
            tables(cell).jobs.update(job, job.header(), job.specification(), 1, 1);
        });
        lies.put("is pending for one", cell -> cell.jobRow("j").group(0).take(2));
        return lies;
    }

    private static Tables tables(TestCell cell) {
        return cell.tables();
    }

    private static int row(TestCell cell, int index) {
        return cell.jobRow("j").group(0).row(index);
    }

    private static void end(TestCell cell, int row) {
        TaskTable tasks = tables(cell).tasks;
        tasks.step(row, tasks.group(row), new TaskSteps().begin(TaskState.LOST, TaskReason.NONE, 0, 0, 0), 1);
    }

    /** Claims no amounts, for the task that is last on the machine already. */
    private static void claim(TestCell cell, long version) {
        MachineTable machines = tables(cell).machines;
        Origin by = new Origin(new TransactionId("later"), "batch", 0, version);
        machines.place(MACHINE, machines.firstTask(MACHINE), Amounts.NONE, by);
        machines.countTask(MACHINE, -1);
    }

    @Test
    void trueCell_passes() {
        assertThatCode(() -> cell().view().checkTruths()).doesNotThrowAnyException();
    }

    @Test
    void everyLie_isFoundOut() {
        lies().forEach((found, lie) -> {
            TestCell cell = cell();
            lie.accept(cell);
            assertThatThrownBy(() -> cell.view().checkTruths())
                    .isInstanceOf(BrokenInvariantException.class)
                    .hasMessageContaining(found);
        });
    }

    /** One task has port 8000, another 8001, a hold has 8002, and 8003 is free. */
    @Test
    void memberThatIsHeldAndFree_isFoundOut() {
        for (int held = 8_000; held <= 8_002; held++) {
            TestCell cell = new TestCell();
            cell.apply(new Command.RaiseFeatureLevel(2));
            cell.apply(new Command.AddDimension(new Dimension("ports", Dimension.Kind.SET)));
            cell.apply(new Command.PutMachine(
                    "m", ports(8_000, 8_001, 8_002, 8_003), new TreeMap<>(), Optional.empty(), false));
            cell.apply(new Command.SubmitJob(
                    TestCell.header("j", "batch", 2, 1, 0)
                            .withGroups(List.of(new GroupHeader("main", 2, Amounts.of(0, 0, 0, 1), Restart.BATCH))),
                    Specification.EMPTY,
                    Command.SubmitMode.CREATE));
            cell.place("j", 0, "m");
            cell.place("j", 1, "m");
            cell.commit(cell.transaction("hold")
                    .hold(new HoldRequest(cell.jobRow("j").id(), MACHINE, ports(8_002), 60_000)));
            tables(cell).machines.release(MACHINE, ports(held), 1);
            tables(cell).machines.hold(MACHINE, ports(8_003), 1);
            assertThatThrownBy(() -> cell.view().checkTruths())
                    .isInstanceOf(BrokenInvariantException.class)
                    .hasMessageContaining("a member is held twice, or held and free");
        }
    }

    private static Amounts ports(int... members) {
        return Amounts.of(0, 0, 0, members.length).naming(Members.NONE.with(3, MemberSet.of(members)));
    }
}
