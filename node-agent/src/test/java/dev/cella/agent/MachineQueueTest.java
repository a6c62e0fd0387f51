package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which tasks of a queue start now: pure, on a cell of one machine with 4 cores. */
class MachineQueueTest {
    private final CellOfOneMachine cell = new CellOfOneMachine(Amounts.of(4_000));
    private final MachineQueue queue = new MachineQueue();
    private final JobId small = cell.submit("small", JobType.BATCH, 8, Amounts.of(1_000));
    private final JobId large = cell.submit("large", JobType.BATCH, 1, Amounts.of(3_000));

    private List<TaskId> due(long nowMillis) {
        return queue.due(cell.view(), 0, nowMillis).stream().map(QueueRow::task).toList();
    }

    @Test
    void due_whatFitsFromTheHeadOn_isStartedOnce() {
        TaskId first = cell.claim(small, 3, ClaimKind.QUEUE);
        TaskId second = cell.claim(large, 0, ClaimKind.QUEUE);
        cell.claim(small, 0, ClaimKind.QUEUE);

        assertThat(due(0)).containsExactly(first, second);
        assertThat(due(0)).isEmpty();
    }

    /** Small tasks behind it could start, and then the head would wait for ever. */
    @Test
    void due_headWithoutRoom_stopsThoseBehindIt() {
        cell.claim(small, 0, ClaimKind.PLACE);
        cell.claim(small, 1, ClaimKind.PLACE);
        cell.claim(large, 0, ClaimKind.QUEUE);
        cell.claim(small, 2, ClaimKind.QUEUE);

        assertThat(due(0)).isEmpty();
    }

    @Test
    void due_headOverItsQuota_isPassedOverForAWhile() {
        TaskId head = cell.claim(small, 0, ClaimKind.QUEUE);
        assertThat(due(0)).containsExactly(head);
        long again = queue.refused(head, Optional.of(Reason.QUOTA), 0).orElseThrow();
        TaskId next = cell.claim(small, 1, ClaimKind.QUEUE);

        assertThat(due(again - 1)).containsExactly(next);
        assertThat(due(again)).containsExactly(head);
        assertThat(queue.refused(head, Optional.of(Reason.QUOTA), again).orElseThrow() - again)
                .isGreaterThan(again);
    }

    /** The claim that took the room is not in the view yet. Its end will be, and then the machine looks again. */
    @Test
    void due_refusedForRoom_isAskedForAgainAtTheNextLook() {
        TaskId head = cell.claim(small, 0, ClaimKind.QUEUE);
        assertThat(due(0)).containsExactly(head);

        assertThat(queue.refused(head, Optional.of(Reason.DOES_NOT_FIT), 0)).isEmpty();
        assertThat(due(0)).containsExactly(head);
    }

    @Test
    void due_startedByAnotherMachine_isNotAskedForAgain() {
        TaskId head = cell.claim(small, 0, ClaimKind.QUEUE);
        assertThat(due(0)).containsExactly(head);

        assertThat(queue.refused(head, Optional.of(Reason.TASK_NOT_PENDING), 0)).isEmpty();
        assertThat(due(0)).isEmpty();
        cell.claim(small, 0, ClaimKind.START);
        assertThat(due(0)).isEmpty();
    }

    @Test
    void due_refusedTaskThatIsQueuedAgain_isNoLongerPassedOver() {
        TaskId head = cell.claim(small, 0, ClaimKind.QUEUE);
        assertThat(due(0)).containsExactly(head);
        assertThat(queue.refused(head, Optional.of(Reason.QUOTA), 0)).isPresent();
        cell.apply(new Command.ChangeMachine(cell.view().machineId(0), Command.MachineChange.DRAIN, false));
        assertThat(due(0)).isEmpty();
        cell.apply(new Command.ChangeMachine(cell.view().machineId(0), Command.MachineChange.READY, false));
        cell.claim(small, 0, ClaimKind.QUEUE);

        assertThat(due(0)).containsExactly(head);
    }

    /** Between two looks the queue was emptied and the task queued again: that is another row. */
    @Test
    void due_queuedAgainBetweenTwoLooks_isAskedForAgain() {
        TaskId head = cell.claim(small, 0, ClaimKind.QUEUE);
        assertThat(due(0)).containsExactly(head);
        cell.apply(new Command.ChangeMachine(cell.view().machineId(0), Command.MachineChange.DRAIN, false));
        cell.apply(new Command.ChangeMachine(cell.view().machineId(0), Command.MachineChange.READY, false));
        cell.claim(small, 0, ClaimKind.QUEUE);

        assertThat(due(0)).containsExactly(head);
    }

    @Test
    void due_onAMachineThatIsDrained_isNothing() {
        cell.claim(small, 0, ClaimKind.QUEUE);
        cell.apply(new Command.ChangeMachine(cell.view().machineId(0), Command.MachineChange.DRAIN, false));

        assertThat(due(0)).isEmpty();
    }
}
