package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.Tables;
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
import java.util.PrimitiveIterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides evictions. Those without a claim are decided in order, independently. An eviction that names its claim stands if the
 * claim is accepted on the victim's machine, and is undone if not (SEMANTICS section 5, "Evictions without a claim",
 * "Claims").
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
        int claims = decision.transaction().claims();
        decision.evictions().alone().forEach(place -> decideAlone(eviction(place), claims + place));
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
        List<Integer> places = List.of();
        Set<TaskId> victims = Set.of();
        PrimitiveIterator.OfInt named = decision.evictions().of(claim).iterator();
        while (named.hasNext()) {
            int place = named.nextInt();
            Eviction eviction = eviction(place);
            if (refuse(eviction) == null && tables.tasks.machine(decision.row(eviction.task())) == slot) {
                places = places.isEmpty() ? new ArrayList<>() : places;
                victims = victims.isEmpty() ? new HashSet<>() : victims;
                if (victims.add(eviction.task())) {
                    places.add(place);
                }
            }
        }
        return places;
    }

    private Eviction eviction(int place) {
        return decision.transaction().evictions().get(place);
    }

    int row(int place) {
        return decision.row(eviction(place).task());
    }

    /** What each of the victims holds. */
    List<Amounts> held(List<Integer> victims) {
        if (victims.isEmpty()) {
            return List.of();
        }
        List<Amounts> held = new ArrayList<>();
        victims.forEach(place -> held.add(tables.tasks.held(row(place))));
        return held;
    }

    /**
     * What the victim gives up: the amounts that the claim needs. Without an agent the victim ends at once and gives up
     * everything.
     */
    Amounts givesUp(int row, Amounts handed) {
        return tables.machines.hasAgent(tables.tasks.machine(row)) ? handed : tables.tasks.held(row);
    }

    void accept(int place, int slot) {
        decision.evict(eviction(place).task());
        decision.accept(decision.transaction().claims() + place, ItemKind.EVICTION, OptionalInt.of(slot));
    }

    /** Decides the evictions whose claims did not need them or were refused. */
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
