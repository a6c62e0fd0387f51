package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which tasks of a queue start now: pure, on a cell of one machine with 4 cores. */
class MachineQueueTest {
    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final MachineQueue queue = new MachineQueue();
    private JobId small = new JobId(1);
    private JobId large = new JobId(1);

    @BeforeEach
    void found() {
        apply(new Command.FoundCell(new CellName("c"), new Incarnation(1), EntryCodec.FEATURE_LEVEL_MAX));
        apply(new Command.PutMachine("m", Amounts.of(4_000), new TreeMap<>(), Optional.empty(), false));
        small = submit("small", 8, 1_000);
        large = submit("large", 1, 3_000);
    }

    private CommandResult apply(Command command) {
        return cell.apply(new EntryHeader(1, CellTime.ZERO, 1, Incarnation.UNSAID), command);
    }

    private JobId submit(String name, int count, long cpuMilli) {
        JobHeader header = new JobHeader(
                name,
                JobType.BATCH,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", count, Amounts.of(cpuMilli), Restart.BATCH)));
        Command submit = new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE);
        return new JobId(((CommandResult.Done) apply(submit)).identity());
    }

    private TaskId claim(JobId job, int index, ClaimKind kind) {
        TaskId task = new TaskId(job, 0, index);
        apply(new Command.CommitTransaction(Transaction.builder(
                        new TransactionId("t" + cell.view().version().number()), "batch")
                .claim(task, 1, 0)
                .kind(kind)
                .build()));
        return task;
    }

    private List<TaskId> due(long nowMillis) {
        return queue.due(cell.view(), 0, nowMillis).stream().map(QueueRow::task).toList();
    }

    @Test
    void due_whatFitsFromTheHeadOn_isStartedOnce() {
        TaskId first = claim(small, 3, ClaimKind.QUEUE);
        TaskId second = claim(large, 0, ClaimKind.QUEUE);
        claim(small, 0, ClaimKind.QUEUE);

        assertThat(due(0)).containsExactly(first, second);
        assertThat(due(0)).isEmpty();
    }

    /** Small tasks behind it could start, and then the head would wait for ever. */
    @Test
    void due_headWithoutRoom_stopsThoseBehindIt() {
        claim(small, 0, ClaimKind.PLACE);
        claim(small, 1, ClaimKind.PLACE);
        claim(large, 0, ClaimKind.QUEUE);
        claim(small, 2, ClaimKind.QUEUE);

        assertThat(due(0)).isEmpty();
    }

    @Test
    void due_headOverItsQuota_isPassedOverForAWhile() {
        TaskId head = claim(small, 0, ClaimKind.QUEUE);
        assertThat(due(0)).containsExactly(head);
        long again = queue.refused(head, Optional.of(Reason.QUOTA), 0).orElseThrow();
        TaskId next = claim(small, 1, ClaimKind.QUEUE);

        assertThat(due(again - 1)).containsExactly(next);
        assertThat(due(again)).containsExactly(head);
        assertThat(queue.refused(head, Optional.of(Reason.QUOTA), again).orElseThrow() - again)
                .isGreaterThan(again);
    }

    /** The claim that took the room is not in the view yet. Its end will be, and then the machine looks again. */
    @Test
    void due_refusedForRoom_isAskedForAgainAtTheNextLook() {
        TaskId head = claim(small, 0, ClaimKind.QUEUE);
        assertThat(due(0)).containsExactly(head);

        assertThat(queue.refused(head, Optional.of(Reason.DOES_NOT_FIT), 0)).isEmpty();
        assertThat(due(0)).containsExactly(head);
    }

    @Test
    void due_startedByAnotherMachine_isNotAskedForAgain() {
        TaskId head = claim(small, 0, ClaimKind.QUEUE);
        assertThat(due(0)).containsExactly(head);

        assertThat(queue.refused(head, Optional.of(Reason.TASK_NOT_PENDING), 0)).isEmpty();
        assertThat(due(0)).isEmpty();
        claim(small, 0, ClaimKind.START);
        assertThat(due(0)).isEmpty();
    }

    @Test
    void due_refusedTaskThatIsQueuedAgain_isNoLongerPassedOver() {
        TaskId head = claim(small, 0, ClaimKind.QUEUE);
        assertThat(due(0)).containsExactly(head);
        assertThat(queue.refused(head, Optional.of(Reason.QUOTA), 0)).isPresent();
        apply(new Command.ChangeMachine(cell.view().machineId(0), Command.MachineChange.DRAIN, false));
        assertThat(due(0)).isEmpty();
        apply(new Command.ChangeMachine(cell.view().machineId(0), Command.MachineChange.READY, false));
        claim(small, 0, ClaimKind.QUEUE);

        assertThat(due(0)).containsExactly(head);
    }

    @Test
    void due_onAMachineThatIsDrained_isNothing() {
        claim(small, 0, ClaimKind.QUEUE);
        apply(new Command.ChangeMachine(cell.view().machineId(0), Command.MachineChange.DRAIN, false));

        assertThat(due(0)).isEmpty();
    }
}
