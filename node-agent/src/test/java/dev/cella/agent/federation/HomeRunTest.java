package dev.cella.agent.federation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.agent.CellOfOneMachine;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Scale;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import org.junit.jupiter.api.Test;

class HomeRunTest {
    private static final Group MAIN = Group.newBuilder().setName("main").build();
    private static final Job JOB =
            Job.newBuilder().setName("job").addGroups(MAIN).build();

    private final CellOfOneMachine home = new CellOfOneMachine(Amounts.of(1_000, 1_000));
    private final JobId job = home.submit("job", JobType.BATCH, 5, Amounts.of(100, 100));

    private GroupRow group(int place) {
        return home.view().job(job).orElseThrow().group(place);
    }

    private void commit(Transaction.Builder transaction) {
        home.apply(new Command.CommitTransaction(transaction.build()));
    }

    @Test
    void copy_runsTheTaskThatItCopies_untilItsGroupHasLostIt() {
        TaskId task = home.claim(job, 3, ClaimKind.PLACE);
        commit(Transaction.builder(new TransactionId("copy"), "batch").step(new Step(Step.Kind.COPY, task, 1)));
        commit(Transaction.builder(new TransactionId("place"), "batch").claim(new TaskId(job, 1, 0), 1, 0));
        assertThat(HomeRun.of(JOB, group(1), 0)).contains(new HomeRun(JOB, MAIN, 3));

        commit(Transaction.builder(new TransactionId("shrink"), "batch").scale(new Scale(job, 0, 1, 4)));
        assertThat(group(1).isSurplus(0)).isTrue();
        assertThat(HomeRun.of(JOB, group(1), 0)).isEmpty();
        assertThat(HomeRun.of(JOB, group(0), 3)).contains(new HomeRun(JOB, MAIN, 3));
    }

    @Test
    void taskOfAGroupThatTheJobDoesNotDescribe_runsNothing() {
        assertThat(HomeRun.of(Job.getDefaultInstance(), group(0), 0)).isEmpty();
    }
}
