package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Transaction;

/**
 * Accepts the claims that surely pass, which are most: on a machine that has room and no new claims of others, without holds
 * and victims. This checks once, for a row of claims on tasks of one group, what {@link ClaimRule} checks for each claim again.
 *
 * <p>It decides nothing else. All other claims go to {@link ClaimRule}, which would also accept each claim that this class
 * accepts.
 */
final class PlainClaims {
    private final Tables tables;
    private final Decision decision;
    private final Draft draft;
    private final QuotaRule quota;
    private final Winners winners;

    PlainClaims(Tables tables, Decision decision, QuotaRule quota, Winners winners) {
        this.tables = tables;
        this.decision = decision;
        this.draft = decision.draft();
        this.quota = quota;
        this.winners = winners;
    }

    /** Accepts claims from that one on as long as they surely pass. Returns the first that may not pass. */
    int accept(int from) {
        if (!isPlain()) {
            return from;
        }
        int before;
        int next = from;
        do {
            before = next;
            next = acceptOfGroup(before);
        } while (next > before);
        return next;
    }

    private boolean isPlain() {
        Transaction transaction = decision.transaction();
        return transaction.evictions().isEmpty()
                && !transaction.saysAmounts()
                && !transaction.saysKinds()
                && tables.holds.isEmpty()
                && !decision.takesOffers()
                && decision.rights().machines().isEmpty();
    }

    private int acceptOfGroup(int from) {
        Transaction transaction = decision.transaction();
        GroupRow group = from < transaction.claims() ? decision.group(from) : null;
        if (group == null || !mayPlace(from, group) || !passes(from, group)) {
            return from;
        }
        Amounts asked = group.header().shape();
        long end = Math.min(transaction.claims(), from + room(group, asked));
        int reference = transaction.reference(from);
        int claim = from;
        while (claim < end
                && transaction.reference(claim) == reference
                && passes(claim, group)
                && isNew(claim, group)) {
            draft.take(transaction.machine(claim), asked);
            decision.acceptClaim(claim, transaction.machine(claim));
            claim++;
        }
        draft.count(group.job(), asked, claim - from);
        draft.countOnMachines(group, claim - from);
        return claim;
    }

    private boolean mayPlace(int claim, GroupRow group) {
        return decision.transaction().generation(claim) == group.job().generation() && quota.mayPlace(group.job());
    }

    /** How many more tasks of the group may be placed. */
    private long room(GroupRow group, Amounts asked) {
        int max = group.header().runningMax();
        long inPools = quota.room(group.job(), asked);
        return max == 0 ? inPools : Math.min(inPools, Math.max(0, max - draft.onMachines(group)));
    }

    /** Checks the task, the machine and the conflict rule. */
    private boolean passes(int claim, GroupRow group) {
        int slot = decision.transaction().machine(claim);
        int index = decision.transaction().index(claim);
        return group.isPending(index)
                && decision.isPending(group, index)
                && tables.machines.exists(slot)
                && tables.machines.isReady(slot)
                && !winners.isAnother(slot)
                && !winners.isChanged(slot)
                && draft.touchedFits(slot, group.header().shape());
    }

    /** Checked last, because the check records that the claim names the task. */
    private boolean isNew(int claim, GroupRow group) {
        return decision.name(group, decision.transaction().index(claim));
    }
}
