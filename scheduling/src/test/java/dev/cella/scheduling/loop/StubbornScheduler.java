package dev.cella.scheduling.loop;

import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.util.List;

/** Always claims the first machine, whether the task fits or not, and remembers the number of its calls. */
final class StubbornScheduler implements Scheduler<Integer> {
    @Override
    public Integer start() {
        return 1;
    }

    @Override
    public Plan<Integer> plan(List<PlanningView> cells, Work work, PlanContext<Integer> context) {
        CellView view = cells.get(0).view();
        TransactionStamp stamp = new TransactionStamp("test", new SessionId(2), context.memory(), 10);
        Transaction transaction = stamp.begin(view, 0)
                .claim(new TaskId(work.jobs().get(0).id(), 0, 0), 1, 0)
                .build();
        Proposal proposal = new Proposal(0, transaction);
        return new Plan<>(List.of(proposal), List.of(), List.of(), context.memory() + 1);
    }
}
