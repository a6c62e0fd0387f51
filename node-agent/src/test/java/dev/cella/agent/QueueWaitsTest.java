package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.waits.WaitMatrix;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** How long tasks would wait on a machine of 4 cores, by what runs and waits there. */
class QueueWaitsTest {
    private final CellOfOneMachine cell = new CellOfOneMachine(Amounts.of(4_000, 4_096));
    private final RunEstimates estimates = new RunEstimates();
    private final QueueWaits waits = new QueueWaits(estimates);

    private JobId submit(String name, JobType type, long cpuMilli) {
        return cell.submit(name, type, 8, Amounts.of(cpuMilli, 10));
    }

    private void runs(TaskId task, long startedAtMillis) {
        report(task, TaskState.RUNNING, OptionalLong.of(startedAtMillis), OptionalLong.empty());
    }

    private void finishes(TaskId task, long startedAtMillis, long endedAtMillis) {
        runs(task, startedAtMillis);
        report(task, TaskState.FINISHED, OptionalLong.empty(), OptionalLong.of(endedAtMillis));
        estimates.left(cell.view(), task);
    }

    private void report(TaskId task, TaskState state, OptionalLong startedAtMillis, OptionalLong endedAtMillis) {
        cell.apply(new Command.ReportTask(
                task,
                1,
                cell.view().task(task).orElseThrow().placement(),
                state,
                OptionalInt.empty(),
                TaskReason.NONE,
                startedAtMillis,
                endedAtMillis));
    }

    private WaitMatrix at(long wallMillis) {
        return waits.of(cell.view(), 0, wallMillis);
    }

    @Test
    void waits_ofTasksWithKnownRunTimes_areWhatIsLeftOfThem() {
        JobId job = submit("known", JobType.BATCH, 4_000);
        finishes(cell.claim(job, 0, ClaimKind.PLACE), 1_000, 11_000);
        runs(cell.claim(job, 1, ClaimKind.PLACE), 20_000);

        assertThat(at(24_000).waitSeconds(500, 512)).isEqualTo(6);
        assertThat(at(90_000).waitSeconds(500, 512)).as("overdue: a tenth more").isEqualTo(1);
        cell.claim(job, 2, ClaimKind.QUEUE);
        assertThat(at(24_000).waitSeconds(500, 512)).isEqualTo(16);
    }

    @Test
    void waits_ofAnUnknownJob_areThoseOfAllTasks() {
        finishes(cell.claim(submit("other", JobType.BATCH, 1_000), 0, ClaimKind.PLACE), 1_000, 9_000);
        cell.claim(submit("unknown", JobType.BATCH, 4_000), 0, ClaimKind.PLACE);

        assertThat(at(10_000).waitSeconds(500, 512)).as("placed, not started").isEqualTo(8);
    }

    @Test
    void waits_whenNothingHasFinishedYet_areAsLongAsTasksHaveRun() {
        runs(cell.claim(submit("first", JobType.BATCH, 4_000), 0, ClaimKind.PLACE), 1_000);

        assertThat(at(31_000).waitSeconds(4_000, 4_096)).isEqualTo(30);
    }

    @Test
    void waits_besideAService_areForEverWhereItIsInTheWay() {
        runs(cell.claim(submit("web", JobType.SERVICE, 1_000), 0, ClaimKind.PLACE), 1_000);

        assertThat(at(31_000).waitSeconds(2_000, 512)).isZero();
        assertThat(at(31_000).waitSeconds(4_000, 512)).isInfinite();
    }

    /** It ends when the machine's own queue needs its room. */
    @Test
    void waits_besideSpareWork_areAsIfItWereNotThere() {
        runs(cell.claim(submit("web", JobType.SERVICE, 2_000), 0, ClaimKind.PLACE), 1_000);
        runs(cell.claim(submit("spare", JobType.BATCH, 2_000), 0, ClaimKind.SPARE), 1_000);

        assertThat(at(31_000).waitSeconds(2_000, 512)).isZero();
        assertThat(at(31_000).waitSeconds(4_000, 512)).isInfinite();
    }
}
