package dev.cella.transactions.cell;

import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * Who got there first: the transactions that claimed, held or placed after the basis of the one at hand. A refusal that
 * one of them is the cause of is a conflict (SEMANTICS section 5, "Conflict, refusal, success", "Several in flight").
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

    /** Another incarnation of the machine than the one the transaction means, which no rule lets pass. */
    boolean isAnother(int slot) {
        long meant = decision.transaction().machinesAsOf().number();
        return meant != 0 && tables.machines.registeredVersion(slot) > meant;
    }

    /** Claims of others after the basis, under rule MACHINE. */
    boolean isChanged(int slot) {
        return decision.transaction().conflictRule() == ConflictRule.MACHINE
                && Math.max(tables.machines.registeredVersion(slot), claimedByOthersVersion(slot)) > decision.basis();
    }

    /** Who claimed on the machine last, if that was after the basis and by another than itself. */
    @Nullable
    Origin on(int slot) {
        Origin last = tables.machines.claimedBy(slot);
        return last != null && claimedByOthersVersion(slot) > decision.basis() ? last : null;
    }

    /** The last claim that counts: one that sees its own session's claims does not conflict with them. */
    private long claimedByOthersVersion(int slot) {
        return decision.transaction().seesOwn()
                ? tables.machines.claimedByOthersVersion(slot, decision.session())
                : tables.machines.claimedVersion(slot);
    }

    /** The last of those whose claim, or whose hold for another job, took of the dimension there after the basis. */
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

    /** Whether the planner's view showed that claim, though it is later than the basis. */
    boolean isSeen(Origin claim) {
        Transaction transaction = decision.transaction();
        return transaction.seesOwn() && transaction.session().isPresent() && decision.session() == claim.session();
    }
}
