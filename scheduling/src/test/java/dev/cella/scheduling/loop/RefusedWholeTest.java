package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A transaction that is refused as a whole says nothing about its claims. */
class RefusedWholeTest {
    @Test
    void sameContentIsNotSentAgain_butItsClaimsAre() {
        LoopTable<?> table = new LoopTable<>(new Meddling(), 16).run("""
                machine m1 1000
                machine m2 1000
                others take m2 1000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                view ->
                answer ->          timer soon
                timer ->           plan a
                planned ->         timer soon
                timer ->           plan a
                planned ->         submit a/0 on m1
                commit
                view ->
                answer ->
                """);
        assertThat(table.status().counters().plansRepeated()).isEqualTo(1);
        assertThat(table.status().counters().claimsAccepted()).isEqualTo(1);
    }

    /** Its first two plans also store progress of another scheduler's job, which is refused as a whole: NOT_ALLOWED. */
    private static final class Meddling implements Scheduler<Integer> {
        @Override
        public Integer start() {
            return 1;
        }

        @Override
        public Plan<Integer> plan(List<PlanningView> cells, Work work, PlanContext<Integer> context) {
            CellView view = cells.get(0).view();
            TransactionStamp stamp = new TransactionStamp("test", new SessionId(2), context.memory(), 10);
            Transaction.Builder transaction =
                    stamp.begin(view, 0).claim(new TaskId(work.jobs().get(0).id(), 0, 0), 1, 0);
            if (context.memory() <= 2) {
                transaction.progress(view.job("others-0").orElseThrow().id(), Progress.of(new byte[] {1}));
            }
            Proposal proposal = new Proposal(0, transaction.build());
            return new Plan<>(List.of(proposal), List.of(), List.of(), context.memory() + 1);
        }
    }
}
