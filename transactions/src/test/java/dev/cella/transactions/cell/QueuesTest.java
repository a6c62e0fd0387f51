package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bounds of the queues of machines, and what those who follow a cell hear of them. The transcripts have the rest. */
class QueuesTest {
    private TestCell cell = new TestCell();

    @BeforeEach
    void raise() {
        cell.apply(new Command.RaiseFeatureLevel(EntryCodec.QUEUES_LEVEL));
    }

    private Outcome queue(String id, String job, int index, String... machines) {
        Transaction.Builder transaction = cell.transaction(id);
        for (String machine : machines) {
            transaction.claim(cell.task(job, index), cell.generation(job), cell.slot(machine));
            transaction.kind(ClaimKind.QUEUE);
        }
        return cell.commit(transaction);
    }

    private Outcome start(String id, String job, int index, String machine) {
        return cell.commit(cell.transaction(id)
                .claim(cell.task(job, index), cell.generation(job), cell.slot(machine))
                .kind(ClaimKind.START));
    }

    private List<String> queueOn(String machine) {
        List<String> names = new ArrayList<>();
        cell.view()
                .queueOn(cell.slot(machine))
                .forEach(row -> names.add(row.group().job().name() + "/" + row.index()));
        return names;
    }

    @Test
    void queue_inMoreThanEightQueues_isRefused() {
        String[] machines = new String[9];
        for (int at = 0; at < machines.length; at++) {
            machines[at] = "m" + at;
            cell.machine(machines[at], 1_000, 100);
        }
        cell.job("j", 1, 1_000, 10);

        Outcome outcome = queue("q", "j", 0, machines);

        assertThat(outcome.accepted()).isEqualTo(QueueRow.ROWS_A_TASK_MAX);
        assertThat(outcome.result(8).reason()).contains(Reason.TOO_MANY_ROWS);
        assertThat(queue("again", "j", 0, "m8").result(0).reason()).contains(Reason.TOO_MANY_ROWS);
        assertThat(cell.view().queued()).isEqualTo(QueueRow.ROWS_A_TASK_MAX);
    }

    @Test
    void queue_ofAJobWithTwoHundredThousandRows_isRefused_fromLevel11On() {
        cell = new TestCell(CellLimits.STANDARD, false);
        cell.apply(new Command.RaiseFeatureLevel(EntryCodec.BOUNDED_HOLDS_LEVEL));
        int machines = QueueRow.ROWS_A_JOB_MAX / QueueRow.ROWS_A_MACHINE_MAX;
        for (int machine = 0; machine <= machines; machine++) {
            cell.machine("m" + machine, 1_000, 100);
        }
        cell.job("j", JobHeader.TASKS_MAX, 1_000, 10);
        cell.job("other", 1, 1_000, 10);
        for (int machine = 0; machine < machines; machine++) {
            Transaction.Builder all = cell.transaction("q" + machine);
            for (int row = 0; row < QueueRow.ROWS_A_MACHINE_MAX; row++) {
                int task = (machine * QueueRow.ROWS_A_MACHINE_MAX + row) % JobHeader.TASKS_MAX;
                all.claim(cell.task("j", task), 1, machine).kind(ClaimKind.QUEUE);
            }
            assertThat(cell.commit(all).accepted()).isEqualTo(QueueRow.ROWS_A_MACHINE_MAX);
        }

        assertThat(queue("more", "j", 0, "m" + machines).result(0).reason()).contains(Reason.TOO_MANY_ROWS);
        assertThat(queue("others", "other", 0, "m" + machines).result(0).accepted())
                .isTrue();
        cell.place("j", 0, "m" + machines);
        assertThat(queue("again", "j", 1, "m" + machines).result(0).accepted()).isTrue();
    }

    @Test
    void queue_onAMachineWithTenThousandRows_isRefused() {
        cell = new TestCell(CellLimits.STANDARD, false);
        raise();
        cell.machine("m", 1_000, 100);
        cell.job("j", QueueRow.ROWS_A_MACHINE_MAX + 1, 1_000, 10);
        Transaction.Builder all = cell.transaction("q");
        for (int index = 0; index < QueueRow.ROWS_A_MACHINE_MAX; index++) {
            all.claim(cell.task("j", index), 1, 0).kind(ClaimKind.QUEUE);
        }

        assertThat(cell.commit(all).accepted()).isEqualTo(QueueRow.ROWS_A_MACHINE_MAX);
        assertThat(queue("more", "j", QueueRow.ROWS_A_MACHINE_MAX, "m")
                        .result(0)
                        .reason())
                .contains(Reason.QUEUE_FULL);
        assertThat(start("s", "j", 7, "m").accepted()).isEqualTo(1);
        assertThat(queue("room", "j", QueueRow.ROWS_A_MACHINE_MAX, "m").accepted())
                .isEqualTo(1);
    }

    @Test
    void start_ofARowInTheMiddle_leavesTheOrderOfTheOthers() {
        cell.machine("m", 4_000, 100);
        cell.machine("n", 4_000, 100);
        cell.job("j", 4, 1_000, 10);
        queue("q2", "j", 2, "m", "n");
        queue("q0", "j", 0, "m");
        queue("q1", "j", 1, "m");

        assertThat(start("s", "j", 0, "m").accepted()).isEqualTo(1);

        assertThat(queueOn("m")).containsExactly("j/2", "j/1");
        assertThat(cell.row("j", 0).state()).isEqualTo(TaskState.PLACED);
        assertThat(cell.row("j", 2).state()).isEqualTo(TaskState.PENDING);
    }

    /** A row goes without a change of its own, and still those who watch the other machine hear of it. */
    @Test
    void start_ofATaskThatWaitsElsewhereToo_touchesThatMachine() {
        cell.machine("m", 4_000, 100);
        cell.machine("n", 4_000, 100);
        cell.job("j", 1, 1_000, 10);
        queue("q", "j", 0, "m", "n");
        cell.cell.takeChanges();

        Command start = new Command.CommitTransaction(cell.transaction("s")
                .claim(cell.task("j", 0), 1, cell.slot("n"))
                .kind(ClaimKind.START)
                .build());
        cell.cell.apply(cell.header(), start);
        List<Integer> touched = new ArrayList<>();
        List<Integer> queues = new ArrayList<>();
        byte[] changes = cell.cell.takeChanges();
        ChangedRows.tell(changes, cell.view(), new TouchedRows() {
            @Override
            public void machine(int slot) {
                touched.add(slot);
            }
        });
        assertThat(touched).contains(cell.slot("m"), cell.slot("n"));

        touched.clear();
        ChangedRows.tell(changes, cell.view(), new TouchedRows() {
            @Override
            public void machine(int slot) {
                touched.add(slot);
            }

            @Override
            public void queue(int slot) {
                queues.add(slot);
            }
        });
        assertThat(touched).containsOnly(cell.slot("n"));
        assertThat(queues).contains(cell.slot("m"), cell.slot("n"));
    }

    @Test
    void queue_touchesOnlyTheQueueOfTheMachine() {
        cell.machine("m", 4_000, 100);
        cell.job("j", 1, 1_000, 10);
        cell.cell.takeChanges();
        Transaction.Builder queued = cell.transaction("q").claim(cell.task("j", 0), 1, cell.slot("m"));
        cell.cell.apply(
                cell.header(),
                new Command.CommitTransaction(queued.kind(ClaimKind.QUEUE).build()));
        List<Integer> queues = new ArrayList<>();
        ChangedRows.tell(cell.cell.takeChanges(), cell.view(), new TouchedRows() {
            @Override
            public void machine(int slot) {
                throw new AssertionError("nothing holds amounts on it");
            }

            @Override
            public void queue(int slot) {
                queues.add(slot);
            }
        });

        assertThat(queues).containsExactly(cell.slot("m"));
    }

    @Test
    void rowThatWasRead_isQueuedUntilItLeaves_andNotWhenItsTaskIsQueuedAgain() {
        cell.machine("m", 4_000, 100);
        cell.job("j", 2, 1_000, 10);
        queue("q1", "j", 1, "m");
        queue("q0", "j", 0, "m");
        List<QueueRow> rows = List.copyOf(cell.view().queueOn(cell.slot("m")));
        assertThat(rows).allMatch(cell.view()::isQueued);

        start("s", "j", 1, "m");
        assertThat(cell.view().isQueued(rows.get(0))).isFalse();
        assertThat(cell.view().isQueued(rows.get(1))).isTrue();

        cell.apply(
                new Command.ChangeMachine(cell.view().machineId(cell.slot("m")), Command.MachineChange.DRAIN, false));
        cell.apply(
                new Command.ChangeMachine(cell.view().machineId(cell.slot("m")), Command.MachineChange.READY, false));
        queue("again", "j", 0, "m");
        assertThat(cell.view().queuedOn(cell.slot("m"))).isOne();
        assertThat(cell.view().isQueued(rows.get(1))).isFalse();
    }

    @Test
    void queue_thenReload_waitsInTheSameOrder() {
        cell.machine("m", 4_000, 100);
        cell.job("j", 3, 1_000, 10);
        queue("q2", "j", 2, "m");
        queue("q0", "j", 0, "m");

        assertThat(cell.reloaded().view().queueOn(cell.slot("m")).stream().map(QueueRow::index))
                .containsExactly(2, 0);
    }
}
