package dev.cella.chaos.simulated;

import dev.cella.state.core.Lane;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * The starts of what waits at one agent's machines: each machine starts its queue from the head on, until a task has no room.
 * A task whose start was refused is passed over for a while.
 */
final class QueueStarts {
    private static final long AGAIN_NANOS = 1_000 * DueEvents.MILLI;

    private final SimulatedProcess process;
    private final CellCalls calls;
    private final String idPrefix;
    private final IntConsumer lookAgain;
    private final Set<TaskId> asked = new HashSet<>();
    private long sent;

    /**
     * @param idPrefix begins the ids of this life's transactions
     * @param lookAgain gets the slot where a start was refused some time ago
     */
    QueueStarts(SimulatedProcess process, CellCalls calls, String idPrefix, IntConsumer lookAgain) {
        this.lookAgain = lookAgain;
        this.process = process;
        this.calls = calls;
        this.idPrefix = idPrefix;
    }

    void look(CellView view, int slot) {
        if (view.queuedOn(slot) == 0 || !view.isReady(slot)) {
            return;
        }
        for (QueueRow row : view.queueOn(slot)) {
            if (!asked.contains(row.task())) {
                if (!view.fits(slot, row.group().header().shape())) {
                    return;
                }
                start(row);
            }
        }
    }

    private void start(QueueRow row) {
        JobRow job = row.group().job();
        asked.add(row.task());
        Transaction start = Transaction.builder(
                        new TransactionId(idPrefix + sent++), job.header().scheduler())
                .claim(row.task(), job.generation(), row.slot())
                .kind(ClaimKind.START)
                .build();
        calls.untilAnswered(Lane.TRANSACTIONS, new Command.CommitTransaction(start), result -> {
            if (result instanceof CommandResult.Decided decided
                    && decided.outcome().accepted() > 0) {
                asked.remove(row.task());
            } else {
                process.after(AGAIN_NANOS, () -> {
                    asked.remove(row.task());
                    lookAgain.accept(row.slot());
                });
            }
        });
    }
}
