package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Observed;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RunTimesTest {
    private final TestCell cell = new TestCell();

    /** A loop that reads its view again finds all ended tasks again. */
    @Test
    void attemptThatIsSeenAgain_countsOnce() {
        cell.putMachine("m1", 1_000);
        JobId job = cell.submit(new JobHeader(
                "a",
                JobType.BATCH,
                "test",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", 2, Amounts.of(100), Restart.BATCH))));
        cell.commit(Transaction.builder(new TransactionId("t"), "test")
                .basis(cell.view().version())
                .claim(job.version(), 0, 0, 1, 0)
                .claim(job.version(), 0, 1, 1, 0)
                .build());
        TaskId shorter = new TaskId(job, 0, 0);
        TaskId longer = new TaskId(job, 0, 1);
        runs(shorter, 1_000);
        runs(longer, 3_000);

        RunTimes times = new RunTimes(() -> 4_000);
        times.finished(cell.view().task(shorter).orElseThrow());
        times.finished(cell.view().task(longer).orElseThrow());
        times.finished(cell.view().task(longer).orElseThrow());

        assertThat(times.find("a/main").map(Observed::value)).contains(2_000L);
    }

    private void runs(TaskId task, long millis) {
        report(task, TaskState.RUNNING, OptionalLong.of(1), OptionalLong.empty());
        report(task, TaskState.FINISHED, OptionalLong.of(1), OptionalLong.of(1 + millis));
    }

    private void report(TaskId task, TaskState state, OptionalLong started, OptionalLong ended) {
        cell.apply(new Command.ReportTask(
                task, 1, Optional.empty(), state, OptionalInt.empty(), TaskReason.NONE, started, ended));
    }
}
