package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a task may wait in a machine's queue (SEMANTICS section 5, "Queue rows and spare work"). A row holds nothing,
 * so neither quota nor the conflict rule applies: that happens when the row starts.
 */
final class QueueRule {
    private final Tables tables;
    private final Decision decision;
    private final QuotaRule quota;
    private final Winners winners;

    QueueRule(Tables tables, Decision decision, QuotaRule quota, Winners winners) {
        this.tables = tables;
        this.decision = decision;
        this.quota = quota;
        this.winners = winners;
    }

    /** Puts the task into the queue, or returns the reason for refusing it. The machine takes claims. */
    @Nullable
    ItemResult refuse(int claim, GroupRow group, int slot) {
        ItemResult refused = refusePolicy(claim, group, slot);
        if (refused == null) {
            refused = refuseRow(claim, group, slot);
        }
        if (refused == null) {
            decision.queues().add(group, decision.transaction().index(claim), slot);
            decision.acceptClaim(claim, slot);
        }
        return refused;
    }

    private @Nullable ItemResult refusePolicy(int claim, GroupRow group, int slot) {
        if (decision.takesOffers()) {
            decision.beyondOffers();
            return refused(Reason.NOT_OFFERED);
        }
        Amounts asked = group.header().shape();
        boolean allowed = quota.mayPlace(group.job())
                && quota.mayUse(slot)
                && decision.transaction().amounts(claim).orElse(asked).equals(asked);
        if (!allowed) {
            return refused(Reason.NOT_ALLOWED);
        }
        return winners.isAnother(slot)
                ? Refusals.of(ItemKind.CLAIM, Reason.MACHINE_CHANGED, winners.on(slot))
                : refuseTooLarge(asked, slot);
    }

    /** The task must fit on the machine if nothing else is there. */
    private @Nullable ItemResult refuseTooLarge(Amounts asked, int slot) {
        int lacking = tables.machines.firstTooLarge(slot, asked);
        return lacking < 0
                ? null
                : Refusals.of(
                        ItemKind.CLAIM,
                        Reason.DOES_NOT_FIT,
                        lacking,
                        asked.at(lacking),
                        tables.machines.couldGet(slot, asked, lacking),
                        null);
    }

    private @Nullable ItemResult refuseRow(int claim, GroupRow group, int slot) {
        int index = decision.transaction().index(claim);
        DraftedQueues drafted = decision.queues();
        if (tables.queues.has(group, index, slot) || drafted.has(group, index, slot)) {
            return refused(Reason.ALREADY_QUEUED);
        }
        if (tables.queues.of(group, index).size() + drafted.rowsOf(group, index) >= QueueRow.ROWS_A_TASK_MAX) {
            return refused(Reason.TOO_MANY_ROWS);
        }
        if (isFull(group.job())) {
            return refused(Reason.TOO_MANY_ROWS);
        }
        boolean full = tables.queues.count(slot) + drafted.rowsOn(slot) >= QueueRow.ROWS_A_MACHINE_MAX;
        return full ? refused(Reason.QUEUE_FULL) : null;
    }

    /** Returns whether the job has as many rows as it may have, from feature level 11 on. */
    private boolean isFull(JobRow job) {
        return tables.featureLevel() >= EntryCodec.BOUNDED_HOLDS_LEVEL
                && tables.queues.count(job) + decision.queues().rowsOf(job) >= QueueRow.ROWS_A_JOB_MAX;
    }

    private static ItemResult refused(Reason reason) {
        return ItemResult.refused(ItemKind.CLAIM, reason);
    }
}
