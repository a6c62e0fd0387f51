package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a task may run in what a machine's other work leaves, and which spare tasks end when other work needs the room
 * (SEMANTICS section 5, "Queue rows and spare work"). Spare work counts in no quota.
 */
final class SpareRule {
    private static final int FITS = -1;

    private final Tables tables;
    private final Decision decision;
    private final Draft draft;
    private final QuotaRule quota;
    private final Winners winners;

    SpareRule(Tables tables, Decision decision, QuotaRule quota, Winners winners) {
        this.tables = tables;
        this.decision = decision;
        this.draft = decision.draft();
        this.quota = quota;
        this.winners = winners;
    }

    /** Places the task as spare work, or returns the reason for refusing it. The machine takes claims. */
    @Nullable
    ItemResult refuse(int claim, GroupRow group, int slot) {
        ItemResult refused = refusePolicy(claim, group, slot);
        if (refused == null) {
            refused = refuseFit(group, slot);
        }
        if (refused == null) {
            draft.takeSpare(slot, claim, group.header().shape());
            draft.countOnMachines(group, 1);
            decision.acceptClaim(claim, slot);
        }
        return refused;
    }

    private @Nullable ItemResult refusePolicy(int claim, GroupRow group, int slot) {
        if (decision.takesOffers()) {
            decision.beyondOffers();
            return ItemResult.refused(ItemKind.CLAIM, Reason.NOT_OFFERED);
        }
        Amounts asked = group.header().shape();
        boolean allowed = quota.mayPlace(group.job())
                && quota.mayUse(slot)
                && decision.transaction().amounts(claim).orElse(asked).equals(asked)
                && !asksForMembers(asked)
                && !runsEnough(group);
        return allowed ? null : ItemResult.refused(ItemKind.CLAIM, Reason.NOT_ALLOWED);
    }

    /** A member of a set is held by one task, so none of them is spare. */
    private boolean asksForMembers(Amounts asked) {
        for (int dimension = 0; tables.hasSets() && dimension < asked.size(); dimension++) {
            if (asked.at(dimension) > 0 && tables.dimensions().isSet(dimension)) {
                return true;
            }
        }
        return false;
    }

    private boolean runsEnough(GroupRow group) {
        int max = group.header().runningMax();
        return max > 0 && draft.onMachines(group) >= max;
    }

    private @Nullable ItemResult refuseFit(GroupRow group, int slot) {
        if (winners.isAnother(slot) || winners.isChanged(slot)) {
            return Refusals.of(ItemKind.CLAIM, Reason.MACHINE_CHANGED, winners.on(slot));
        }
        Amounts asked = group.header().shape();
        int percentMax = decision.rights().sparePercentMax();
        int lacking = draft.firstLackingSpare(slot, asked, percentMax);
        return lacking == FITS
                ? null
                : Refusals.of(
                        ItemKind.CLAIM,
                        Reason.DOES_NOT_FIT,
                        lacking,
                        asked.at(lacking),
                        Math.max(0, draft.spareRoom(slot, lacking, percentMax)),
                        winners.ofSpare(slot, group.job(), lacking));
    }

    /** Ends spare tasks that a claim on the machine leaves no room for. The claim is accepted. */
    void makeRoom(int slot) {
        for (int row : draft.endSpareFor(slot)) {
            GroupRow group = tables.tasks.group(row);
            decision.evict(new TaskId(group.job().id(), group.place(), tables.tasks.index(row)));
            if (draft.endsAtOnce(row)) {
                draft.countOnMachines(group, -1);
            }
        }
    }
}
