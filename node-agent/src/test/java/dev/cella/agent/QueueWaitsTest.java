package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
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
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.waits.WaitMatrix;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long tasks would wait on a machine of 4 cores, by what runs and waits there. */
class QueueWaitsTest {
    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final RunEstimates estimates = new RunEstimates();
    private final QueueWaits waits = new QueueWaits(estimates);

    @BeforeEach
    void found() {
        apply(new Command.FoundCell(new CellName("c"), new Incarnation(1), EntryCodec.FEATURE_LEVEL_MAX));
        apply(new Command.PutMachine("m", Amounts.of(4_000, 4_096), new TreeMap<>(), Optional.empty(), false));
    }

    private CommandResult apply(Command command) {
        return cell.apply(new EntryHeader(1, CellTime.ZERO, 1, Incarnation.UNSAID), command);
    }

    private JobId submit(String name, JobType type, long cpuMilli) {
        JobHeader header = new JobHeader(
                name,
                type,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", 8, Amounts.of(cpuMilli, 10), Restart.BATCH)));
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

    private void runs(TaskId task, long startedAtMillis) {
        report(task, TaskState.RUNNING, OptionalLong.of(startedAtMillis), OptionalLong.empty());
    }

    private void finishes(TaskId task, long startedAtMillis, long endedAtMillis) {
        runs(task, startedAtMillis);
        report(task, TaskState.FINISHED, OptionalLong.empty(), OptionalLong.of(endedAtMillis));
        estimates.left(cell.view(), task);
    }

    private void report(TaskId task, TaskState state, OptionalLong startedAtMillis, OptionalLong endedAtMillis) {
        apply(new Command.ReportTask(
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
        finishes(claim(job, 0, ClaimKind.PLACE), 1_000, 11_000);
        runs(claim(job, 1, ClaimKind.PLACE), 20_000);

        assertThat(at(24_000).waitSeconds(500, 512)).isEqualTo(6);
        assertThat(at(90_000).waitSeconds(500, 512)).as("overdue: a tenth more").isEqualTo(1);
        claim(job, 2, ClaimKind.QUEUE);
        assertThat(at(24_000).waitSeconds(500, 512)).isEqualTo(16);
    }

    @Test
    void waits_ofAnUnknownJob_areThoseOfAllTasks() {
        finishes(claim(submit("other", JobType.BATCH, 1_000), 0, ClaimKind.PLACE), 1_000, 9_000);
        claim(submit("unknown", JobType.BATCH, 4_000), 0, ClaimKind.PLACE);

        assertThat(at(10_000).waitSeconds(500, 512)).as("placed, not started").isEqualTo(8);
    }

    @Test
    void waits_whenNothingHasFinishedYet_areAsLongAsTasksHaveRun() {
        runs(claim(submit("first", JobType.BATCH, 4_000), 0, ClaimKind.PLACE), 1_000);

        assertThat(at(31_000).waitSeconds(4_000, 4_096)).isEqualTo(30);
    }

    @Test
    void waits_besideAService_areForEverWhereItIsInTheWay() {
        runs(claim(submit("web", JobType.SERVICE, 1_000), 0, ClaimKind.PLACE), 1_000);

        assertThat(at(31_000).waitSeconds(2_000, 512)).isZero();
        assertThat(at(31_000).waitSeconds(4_000, 512)).isInfinite();
    }
}
