package dev.cella.client.live;

import java.util.Map;
import java.util.Optional;

/**
 * That a session takes part in offers: its scheduler claims only what an allocator offers it.
 *
 * @param role the name under which the allocator shares; the scheduler's name where it is empty
 * @param weight the role's part of the cell beside the weights of others
 * @param minimumOffer the smallest amounts of a machine that it is offered, by the names of dimensions
 */
public record OffersOptions(Optional<String> role, int weight, Map<String, Long> minimumOffer) {
    /** In a role of the scheduler's own name, of weight 1, with any offer. */
    public static final OffersOptions PLAIN = new OffersOptions(Optional.empty(), 1, Map.of());

    public OffersOptions {
        minimumOffer = Map.copyOf(minimumOffer);
    }
}
