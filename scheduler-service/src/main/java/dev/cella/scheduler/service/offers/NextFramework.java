package dev.cella.scheduler.service.offers;

import dev.cella.scheduler.service.offers.Allocation.FreeMachine;
import dev.cella.scheduler.service.offers.Allocation.MadeOffer;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/** Picks the framework that is offered all that is free, by the allocator's own rule: for hosts without a cell. */
public final class NextFramework {
    /**
     * A framework that shares under its own name.
     *
     * @param held its amounts, offers included
     * @param wants whether it takes an offer now
     */
    public record Competitor(String name, int weight, Amounts held, boolean wants) {}

    private static final long SEED = 1;

    private NextFramework() {}

    /** The place of the framework with the lowest dominant share that wants an offer, if any does. */
    public static OptionalInt of(Amounts totals, Amounts free, List<Competitor> competitors) {
        long[] all = new long[totals.size()];
        for (int dimension = 0; dimension < all.length; dimension++) {
            all[dimension] = totals.at(dimension);
        }
        List<Role> roles = new ArrayList<>(competitors.size());
        for (int place = 0; place < competitors.size(); place++) {
            roles.add(role(competitors.get(place), place, all));
        }
        List<MadeOffer> offers = new Allocation(roles, AllocationPolicy.DRF, new SplittableRandom(SEED))
                .divide(List.of(new FreeMachine(0, free)));
        return offers.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of((int) offers.get(0).to().version() - 1);
    }

    private static Role role(Competitor competitor, int place, long[] totals) {
        Role role = new Role(competitor.name(), competitor.weight(), Amounts.NONE, totals);
        Framework framework = new Framework(competitor.name(), role, Amounts.NONE, 1);
        framework.add(new Framework.Seat(new SessionId(place + 1), !competitor.wants(), 0, machine -> false));
        framework.holds(competitor.held());
        return role;
    }
}
