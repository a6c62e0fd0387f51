package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Members;
import java.util.ArrayList;
import java.util.List;

/**
 * The amounts that one claim takes, by their source: first its own holds on the machine, oldest first, then its victims in
 * their order, then the free amounts. A pure function of amounts: the preview of a plan, the commit rule and the tables that
 * apply all use it, so they cannot disagree.
 *
 * @param asked what the claim gets, with all members named in the dimensions that are sets
 * @param needs for each hold, what the claim still needs when it comes to that hold
 * @param handed for each victim, what it hands over
 * @param fromFree what the claim takes from the free amounts
 */
public record Settlement(Amounts asked, List<Amounts> needs, List<Amounts> handed, Amounts fromFree) {
    /** A claim without holds and victims. */
    static Settlement ofFree(Amounts asked) {
        return new Settlement(asked, List.of(), List.of(), asked);
    }

    /**
     * @param got what each of its holds has got
     * @param victims what each of its victims holds
     * @param open the members of the machine that are free
     */
    static Settlement of(Amounts shape, List<Amounts> got, List<Amounts> victims, Members open) {
        Amounts asked = shape.choosing(sources(got, victims, open));
        List<Amounts> needs = new ArrayList<>(got.size());
        Amounts need = asked;
        for (Amounts has : got) {
            needs.add(need);
            need = need.minus(has.min(need));
        }
        List<Amounts> handed = new ArrayList<>(victims.size());
        for (Amounts held : victims) {
            Amounts hands = held.min(need);
            handed.add(hands);
            need = need.minus(hands);
        }
        return new Settlement(asked, needs, handed, need);
    }

    private static Members[] sources(List<Amounts> got, List<Amounts> victims, Members open) {
        List<Members> sources = new ArrayList<>(got.size() + victims.size() + 1);
        got.forEach(has -> sources.add(has.members()));
        victims.forEach(held -> sources.add(held.members()));
        sources.add(open);
        return sources.toArray(Members[]::new);
    }

    /** Returns whether all of it comes from its holds. */
    public boolean isFromHolds() {
        return fromFree.isNone() && handed.stream().allMatch(Amounts::isNone);
    }

    /** What the oldest holds get from the free amounts on their machine. The others get nothing, because nothing is left. */
    static List<Amounts> grown(List<HoldRow> holds, Amounts free) {
        List<Amounts> grown = new ArrayList<>();
        Amounts left = free;
        for (HoldRow hold : holds) {
            if (left.isNone()) {
                return grown;
            }
            Amounts more = grown(hold, left);
            grown.add(more);
            left = left.minus(more);
        }
        return grown;
    }

    /** The part of the free amounts that the hold gets. */
    static Amounts grown(HoldRow hold, Amounts free) {
        return hold.lacks().choosing(free.members()).min(free);
    }
}
