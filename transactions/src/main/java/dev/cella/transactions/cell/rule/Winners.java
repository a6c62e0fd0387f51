package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that claimed, held or placed after the basis of the current transaction. A refusal that one of them caused
 * is a conflict (SEMANTICS section 5, "Conflict, refusal, success", "Several in flight").
 */
final class Winners {
    private final Tables tables;
    private final Decision decision;

    Winners(Tables tables, Decision decision) {
        this.tables = tables;
        this.decision = decision;
    }

    /** The transaction that placed the task in that row after the basis, if one did. */
    @Nullable
    Origin placedAfter(int row) {
        Origin origin = row == TaskTable.NO_ROW ? null : tables.tasks.origin(row);
        return origin != null && origin.version() > decision.basis() ? origin : null;
    }

    /**
     * Returns whether the machine is another incarnation than the one that the transaction means. No rule accepts such a claim.
     */
    boolean isAnother(int slot) {
        long meant = decision.transaction().machinesAsOf().number();
        return meant != 0 && tables.machines.registeredVersion(slot) > meant;
    }

    /** Returns whether others claimed there after the basis, under rule MACHINE. */
    boolean isChanged(int slot) {
        return decision.transaction().conflictRule() == ConflictRule.MACHINE
                && Math.max(tables.machines.registeredVersion(slot), claimedByOthersVersion(slot)) > decision.basis();
    }

    /** The last claim on the machine, if one that counts came after the basis. */
    @Nullable
    Origin on(int slot) {
        Origin last = tables.machines.claimedBy(slot);
        return last != null && claimedByOthersVersion(slot) > decision.basis() ? last : null;
    }

    /**
     * The version of the last claim that counts. A transaction that sees its own session's claims does not conflict with them.
     */
    private long claimedByOthersVersion(int slot) {
        return decision.transaction().seesOwn()
                ? tables.machines.claimedByOthersVersion(slot, decision.session())
                : tables.machines.claimedVersion(slot);
    }

    /** The newest claim, or hold for another job, that took from the dimension there after the basis. */
    @Nullable
    Origin of(int slot, JobRow job, int dimension) {
        Origin winner = on(slot);
        for (HoldRow hold : decision.draft().holdsOn(slot)) {
            long after = winner == null ? decision.basis() : winner.version();
            boolean later = hold.got().at(dimension) > 0 && hold.origin().version() > after;
            boolean others = !decision.draft().isFor(hold, job) && !isSeen(hold.origin());
            winner = later && others ? hold.origin() : winner;
        }
        return winner;
    }

    /** The same for spare work, which newer spare tasks may have left no room. */
    @Nullable
    Origin ofSpare(int slot, JobRow job, int dimension) {
        Origin winner = of(slot, job, dimension);
        for (int row : decision.draft().spareRows(slot)) {
            Origin placed = placedAfter(row);
            if (placed != null && !isSeen(placed) && (winner == null || placed.version() > winner.version())) {
                winner = placed;
            }
        }
        return winner;
    }

    /** Returns whether the planner's view showed that claim, although it is later than the basis. */
    boolean isSeen(Origin claim) {
        Transaction transaction = decision.transaction();
        return transaction.seesOwn() && transaction.session().isPresent() && decision.session() == claim.session();
    }
}
