package dev.cella.scheduler.service.offers;

import dev.cella.transactions.model.CellTime;
import java.util.Map;
import java.util.Set;

/**
 * The allocator's memory between rounds, by cell: which schedulers took part, since when some of them have no session, and
 * since when roles are below their guarantees.
 */
record OffersMemory(Set<Name> known, Map<Name, CellTime> gone, Map<Name, CellTime> lacking) {
    static final OffersMemory NOTHING = new OffersMemory(Set.of(), Map.of(), Map.of());

    /** A scheduler, or a role, in the cell of that place. */
    record Name(int cell, String name) {}

    OffersMemory {
        known = Set.copyOf(known);
        gone = Map.copyOf(gone);
        lacking = Map.copyOf(lacking);
    }
}
