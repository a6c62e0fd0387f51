package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.Settlement;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides claims: first the first choice of each claim, in order, then the alternates of the refused ones, in order. It checks
 * each against the state as the transaction has made it so far: the task, the machine, the policies, the conflict rule, the
 * fit (SEMANTICS section 5, "Claims").
 */
final class ClaimRule {
    private static final int FITS = -1;
    private static final ItemResult NOT_OFFERED = ItemResult.refused(ItemKind.CLAIM, Reason.NOT_OFFERED);
    private static final ItemResult UNKNOWN_TASK = ItemResult.refused(ItemKind.CLAIM, Reason.UNKNOWN_TASK);

    private final Tables tables;
    private final Decision decision;
    private final Draft draft;
    private final EvictionRule evictions;
    private final QuotaRule quota;
    private final Winners winners;
    private final PlainClaims plain;
    private final QueueRule queues;
    private final SpareRule spare;

    ClaimRule(Tables tables, Decision decision, EvictionRule evictions, QuotaRule quota, Winners winners) {
        this.tables = tables;
        this.decision = decision;
        this.draft = decision.draft();
        this.evictions = evictions;
        this.quota = quota;
        this.winners = winners;
        this.plain = new PlainClaims(tables, decision, quota, winners);
        this.queues = new QueueRule(tables, decision, quota, winners);
        this.spare = new SpareRule(tables, decision, quota, winners);
    }

    void decide() {
        Transaction transaction = decision.transaction();
        for (int claim = plain.accept(0); claim < transaction.claims(); claim = plain.accept(claim + 1)) {
            decideFirstChoice(claim, transaction.machine(claim));
        }
        for (int claim = 0; claim < transaction.claims(); claim++) {
            if (transaction.alternates(claim) > 0 && !decision.isAccepted(claim)) {
                decideAlternates(claim);
            }
        }
    }

    private void decideFirstChoice(int claim, int slot) {
        GroupRow group = decision.group(claim);
        ItemResult refused = group == null ? UNKNOWN_TASK : refuseFirstChoice(claim, group, slot);
        if (refused != null) {
            decision.refuse(claim, refused);
        }
    }

    private @Nullable ItemResult refuseFirstChoice(int claim, GroupRow group, int slot) {
        ItemResult refused = refuseTask(claim, group);
        return refused == null ? refuseMachine(claim, group, slot) : refused;
    }

    private void decideAlternates(int claim) {
        Transaction transaction = decision.transaction();
        GroupRow group = decision.group(claim);
        if (group == null || isAboutTheTask(decision.refusal(claim))) {
            return;
        }
        boolean refused = true;
        for (int place = 0; refused && place < transaction.alternates(claim); place++) {
            refused = refuseMachine(claim, group, transaction.alternate(claim, place)) != null;
        }
    }

    /** Returns whether another machine would not help. */
    private static boolean isAboutTheTask(ItemResult refused) {
        return switch (refused.reason().orElse(Reason.BAD_COMMAND)) {
            case UNKNOWN_TASK, TASK_NOT_PENDING, TASK_CHANGED, DUPLICATE_TASK -> true;
            default -> false;
        };
    }

    // ---- the task

    private @Nullable ItemResult refuseTask(int claim, GroupRow group) {
        int index = decision.transaction().index(claim);
        if (index < 0 || index >= group.header().count()) {
            return UNKNOWN_TASK;
        }
        boolean first = isQueued(claim) ? decision.nameQueued(group, index) : decision.name(group, index);
        if (!decision.isPending(group, index)) {
            return Refusals.of(ItemKind.CLAIM, Reason.TASK_NOT_PENDING, winners.placedAfter(group.row(index)));
        }
        if (decision.transaction().generation(claim) != group.job().generation()) {
            return ItemResult.refused(ItemKind.CLAIM, Reason.TASK_CHANGED);
        }
        return first ? null : ItemResult.refused(ItemKind.CLAIM, Reason.DUPLICATE_TASK);
    }

    private boolean isQueued(int claim) {
        return decision.transaction().kind(claim) == ClaimKind.QUEUE;
    }

    /** Returns whether the claim starts a queue row, which is decided under rule RESOURCE whatever the transaction says. */
    private boolean isStart(int claim) {
        return decision.transaction().kind(claim) == ClaimKind.START;
    }

    // ---- the machine, the policies, the conflict rule, the fit

    /** Takes what the claim asks on the machine, or returns the reason for refusing it. */
    private @Nullable ItemResult refuseMachine(int claim, GroupRow group, int slot) {
        if (!tables.machines.exists(slot)) {
            return ItemResult.refused(ItemKind.CLAIM, Reason.UNKNOWN_MACHINE);
        }
        if (!tables.machines.isReady(slot)) {
            return ItemResult.refused(ItemKind.CLAIM, Reason.MACHINE_NOT_READY);
        }
        if (decision.transaction().kind(claim) == ClaimKind.SPARE) {
            return tables.featureLevel() < EntryCodec.SPARE_LEVEL
                    ? ItemResult.refused(ItemKind.CLAIM, Reason.NOT_ALLOWED)
                    : spare.refuse(claim, group, slot);
        }
        if (isQueued(claim)) {
            return queues.refuse(claim, group, slot);
        }
        if (isStart(claim) && !tables.queues.has(group, decision.transaction().index(claim), slot)) {
            return ItemResult.refused(ItemKind.CLAIM, Reason.NOT_QUEUED);
        }
        List<Integer> victims = evictions.victims(claim, slot);
        Settlement settlement =
                draft.settlement(group.job(), slot, group.header().shape(), evictions.held(victims));
        if (decision.takesOffers() && !settlement.isFromHolds()) {
            decision.beyondOffers();
            return NOT_OFFERED;
        }
        ItemResult refused = refusePolicy(claim, group, slot, settlement, victims);
        if (refused == null) {
            refused = refuseFit(claim, group, slot, settlement.asked(), victims);
        }
        if (refused == null) {
            take(group, slot, settlement, victims);
            spare.makeRoom(slot);
            decision.acceptClaim(claim, slot);
        }
        return refused;
    }

    private @Nullable ItemResult refusePolicy(
            int claim, GroupRow group, int slot, Settlement settlement, List<Integer> victims) {
        ItemResult over = quota.refuseClaim(group, slot, settlement, evictions, victims);
        if (over != null) {
            return over;
        }
        boolean allowed = quota.mayPlace(group.job())
                && quota.mayUse(slot)
                && !saysOtherAmounts(claim, group)
                && !exceedsRunningMax(group, victims);
        return allowed ? null : ItemResult.refused(ItemKind.CLAIM, Reason.NOT_ALLOWED);
    }

    /**
     * Returns whether the group already runs on as many machines as it may. Victims of the group that end with the claim do
     * not count.
     */
    private boolean exceedsRunningMax(GroupRow group, List<Integer> victims) {
        int max = group.header().runningMax();
        if (max == 0) {
            return false;
        }
        int ending = 0;
        for (int place : victims) {
            int row = evictions.row(place);
            ending += tables.tasks.group(row) == group && draft.endsAtOnce(row) ? 1 : 0;
        }
        return draft.onMachines(group) - ending >= max;
    }

    private boolean saysOtherAmounts(int claim, GroupRow group) {
        Transaction transaction = decision.transaction();
        Amounts asked = group.header().shape();
        return transaction.saysAmounts()
                && !transaction.amounts(claim).orElse(asked).equals(asked);
    }

    /** The claim may have what is free, what its job's hold has got there, and what its victims hold. */
    private @Nullable ItemResult refuseFit(int claim, GroupRow group, int slot, Amounts asked, List<Integer> victims) {
        Amounts own = draft.gotBy(group.job(), slot);
        Amounts offered = own;
        for (Amounts held : evictions.held(victims)) {
            offered = offered.plus(held);
        }
        int lacking = draft.firstLacking(slot, asked, offered);
        Amounts others = draft.gotByOthers(group.job(), slot);
        if (lacking != FITS && !others.isNone() && draft.firstLacking(slot, asked, offered.plus(others)) == FITS) {
            return refuseLacking(group, slot, Reason.HELD, lacking);
        }
        boolean asksRule = own.min(asked).isNone() && !isStart(claim);
        if (winners.isAnother(slot) || (asksRule && winners.isChanged(slot))) {
            return Refusals.of(ItemKind.CLAIM, Reason.MACHINE_CHANGED, winners.on(slot));
        }
        return lacking == FITS ? null : refuseLacking(group, slot, Reason.DOES_NOT_FIT, lacking);
    }

    private ItemResult refuseLacking(GroupRow group, int slot, Reason reason, int dimension) {
        return Refusals.of(
                ItemKind.CLAIM,
                reason,
                dimension,
                group.header().shape().at(dimension),
                free(group, slot, dimension),
                winners.of(slot, group.job(), dimension));
    }

    /**
     * For a set, counts only members that the task could get: a port that the task does not ask for is of no use to it.
     */
    private long free(GroupRow group, int slot, int dimension) {
        return tables.dimensions().isSet(dimension)
                ? draft.servable(slot, group.header().shape(), dimension)
                : draft.free(slot, dimension);
    }

    private void take(GroupRow group, int slot, Settlement settlement, List<Integer> victims) {
        draft.useHolds(group.job(), slot, settlement);
        draft.count(group.job(), settlement.asked(), 1);
        draft.countOnMachines(group, 1);
        List<Amounts> rests = takeOver(slot, settlement, victims);
        draft.take(slot, settlement.fromFree());
        rests.stream().filter(rest -> !rest.isNone()).forEach(rest -> draft.give(slot, rest));
    }

    /**
     * The part of each victim that it does not hand over becomes free, one victim after another, as it will when they end.
     */
    private List<Amounts> takeOver(int slot, Settlement settlement, List<Integer> victims) {
        List<Amounts> rests = victims.isEmpty() ? List.of() : new ArrayList<>();
        for (int at = 0; at < victims.size(); at++) {
            int row = evictions.row(victims.get(at));
            Amounts handed = settlement.handed().get(at);
            Amounts gives = evictions.givesUp(row, handed);
            rests.add(gives.minus(handed));
            draft.count(tables.tasks.group(row).job(), gives, -1);
            if (draft.endsAtOnce(row)) {
                draft.countOnMachines(tables.tasks.group(row), -1);
            }
            draft.endSpare(row, true);
            evictions.accept(victims.get(at), slot);
        }
        return rests;
    }
}
