package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a spare task becomes a task like any other, where it is: as a claim on its machine that takes only what is
 * free.
 */
final class UpgradeRule {
    private static final int FITS = -1;

    private final Tables tables;
    private final Decision decision;
    private final Draft draft;
    private final QuotaRule quota;
    private final Winners winners;

    UpgradeRule(Tables tables, Decision decision, QuotaRule quota, Winners winners) {
        this.tables = tables;
        this.decision = decision;
        this.draft = decision.draft();
        this.quota = quota;
        this.winners = winners;
    }

    /** Returns whether the task is spare work that goes on. */
    boolean isLegal(int row) {
        TaskState state = tables.tasks.state(row);
        return tables.tasks.isSpare(row) && (state == TaskState.PLACED || state == TaskState.RUNNING);
    }

    @Nullable
    ItemResult refuse(JobRow job, int row) {
        int slot = tables.tasks.machine(row);
        if (!tables.machines.isReady(slot)) {
            return ItemResult.refused(ItemKind.STEP, Reason.MACHINE_NOT_READY);
        }
        if (decision.takesOffers()) {
            decision.beyondOffers();
            return ItemResult.refused(ItemKind.STEP, Reason.NOT_OFFERED);
        }
        Amounts asked = tables.tasks.shape(row);
        ItemResult over = quota.refuseMore(ItemKind.STEP, job, asked);
        if (over != null) {
            return over;
        }
        if (!quota.mayPlace(job) || !quota.mayUse(slot)) {
            return ItemResult.refused(ItemKind.STEP, Reason.NOT_ALLOWED);
        }
        return refuseFit(job, slot, asked);
    }

    private @Nullable ItemResult refuseFit(JobRow job, int slot, Amounts asked) {
        int lacking = draft.firstLacking(slot, asked);
        Amounts others = draft.gotByOthers(job, slot);
        if (lacking != FITS && !others.isNone() && draft.firstLacking(slot, asked, others) == FITS) {
            return refuseLacking(job, slot, Reason.HELD, lacking, asked);
        }
        if (winners.isAnother(slot) || winners.isChanged(slot)) {
            return Refusals.of(ItemKind.STEP, Reason.MACHINE_CHANGED, winners.on(slot));
        }
        return lacking == FITS ? null : refuseLacking(job, slot, Reason.DOES_NOT_FIT, lacking, asked);
    }

    private ItemResult refuseLacking(JobRow job, int slot, Reason reason, int dimension, Amounts asked) {
        return Refusals.of(
                ItemKind.STEP,
                reason,
                dimension,
                asked.at(dimension),
                draft.free(slot, dimension),
                winners.of(slot, job, dimension));
    }
}
