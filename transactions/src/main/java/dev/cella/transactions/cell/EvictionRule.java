package dev.cella.transactions.cell;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Evictions. Those without a claim are decided in order, by themselves; one that names its claim stands if the claim is
 * accepted on the victim's machine, and is undone if not (SEMANTICS section 5, "Evictions without a claim", "Claims").
 */
final class EvictionRule {
    private static final int NO_CLAIM = -1;

    private final Tables tables;
    private final Decision decision;
    private final Winners winners;

    EvictionRule(Tables tables, Decision decision, Winners winners) {
        this.tables = tables;
        this.decision = decision;
        this.winners = winners;
    }

    // ---- without a claim

    void decideAlone() {
        int place = decision.transaction().claims();
        for (Eviction eviction : decision.transaction().evictions()) {
            if (eviction.forClaim().isEmpty()) {
                decideAlone(eviction, place);
            }
            place++;
        }
    }

    private void decideAlone(Eviction eviction, int place) {
        ItemResult refused = refuse(eviction);
        if (refused != null) {
            decision.refuse(place, refused);
            return;
        }
        int row = decision.row(eviction.task());
        decision.evict(eviction.task());
        decision.draft().endWithoutAgent(row);
        decision.accept(place, ItemKind.EVICTION, OptionalInt.of(tables.tasks.machine(row)));
    }

    private @Nullable ItemResult refuse(Eviction eviction) {
        TaskId task = eviction.task();
        GroupRow group = decision.find(task);
        if (group == null) {
            return ItemResult.refused(ItemKind.EVICTION, Reason.UNKNOWN_TASK);
        }
        int row = group.row(task.index());
        if (!decision.isPlaced(task, row)) {
            return ItemResult.refused(ItemKind.EVICTION, Reason.TASK_NOT_PLACED);
        }
        if (tables.tasks.attempt(row) != eviction.attempt()) {
            return Refusals.of(ItemKind.EVICTION, Reason.TASK_CHANGED, winners.placedAfter(row));
        }
        return mayEvict(eviction, group) ? null : ItemResult.refused(ItemKind.EVICTION, Reason.NOT_ALLOWED);
    }

    private boolean mayEvict(Eviction eviction, GroupRow victim) {
        return switch (decision.rights().evicts()) {
            case NOTHING -> false;
            case OWN -> decision.isOwn(victim.job());
            case LOWER ->
                eviction.forClaim().isEmpty()
                        ? decision.isOwn(victim.job())
                        : isLower(victim, eviction.forClaim().getAsInt());
            case ANY -> true;
        };
    }

    private boolean isLower(GroupRow victim, int claim) {
        GroupRow claims = decision.group(claim);
        return claims != null
                && victim.job().header().priority() < claims.job().header().priority();
    }

    // ---- for a claim

    /** The places of the evictions that stand if the claim is accepted on this machine, each victim once. */
    List<Integer> victims(int claim, int slot) {
        List<Eviction> evictions = decision.transaction().evictions();
        if (evictions.isEmpty()) {
            return List.of();
        }
        Set<TaskId> victims = new HashSet<>();
        List<Integer> places = new ArrayList<>();
        for (int place = 0; place < evictions.size(); place++) {
            Eviction eviction = evictions.get(place);
            if (eviction.forClaim().orElse(NO_CLAIM) == claim
                    && refuse(eviction) == null
                    && tables.tasks.machine(decision.row(eviction.task())) == slot
                    && victims.add(eviction.task())) {
                places.add(place);
            }
        }
        return places;
    }

    int row(int place) {
        return decision.row(decision.transaction().evictions().get(place).task());
    }

    Amounts held(List<Integer> victims) {
        Amounts held = Amounts.NONE;
        for (int place : victims) {
            held = held.plus(tables.tasks.held(row(place)));
        }
        return held;
    }

    /** A victim hands over what the claim needs; where there is no agent it ends at once and holds nothing. */
    Amounts givesUp(int row, Amounts need) {
        Amounts held = tables.tasks.held(row);
        return tables.machines.hasAgent(tables.tasks.machine(row)) ? held.min(need) : held;
    }

    void accept(int place, int slot) {
        decision.evict(decision.transaction().evictions().get(place).task());
        decision.accept(decision.transaction().claims() + place, ItemKind.EVICTION, OptionalInt.of(slot));
    }

    /** Evictions for claims that did not need them, or were refused. */
    void decideLeft() {
        int place = decision.transaction().claims();
        for (Eviction eviction : decision.transaction().evictions()) {
            if (!decision.isDecided(place)) {
                ItemResult refused = refuse(eviction);
                int claim = eviction.forClaim().orElse(NO_CLAIM);
                decision.refuse(place, refused == null ? Refusals.aborted(ItemKind.EVICTION, claim) : refused);
            }
            place++;
        }
    }
}
