package dev.cella.scheduling;

import java.util.List;

/**
 * What a scheduler decided: transactions to commit, in this order; why tasks were not placed; what would change that; and
 * what it wants to remember. A pending task that is neither claimed nor counted as unplaced is work for the job's next
 * turn, which comes at once if this plan proposed something.
 */
public record Plan<M>(List<Proposal> proposals, List<Unplaced> unplaced, List<Wake> wakes, M memory) {
    public Plan {
        proposals = List.copyOf(proposals);
        unplaced = List.copyOf(unplaced);
        wakes = List.copyOf(wakes);
    }
}
