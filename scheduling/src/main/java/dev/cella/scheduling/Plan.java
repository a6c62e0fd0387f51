package dev.cella.scheduling;

import java.util.List;

/**
 * The decision of a scheduler: why tasks were not placed, what would change that, and its memory. The drafts on its views are
 * proposed when the plan returns. {@code proposals} are those that it made from drafts itself, for rules other than the job's
 * own. They are committed first, in this order.
 *
 * <p>A group with tasks left and no wake of its job sleeps until there is room for one of its tasks. A pending task that is
 * neither claimed nor counted as unplaced is work for the job's next turn, which comes at once if this plan drafted something.
 */
public record Plan<M>(List<Proposal> proposals, List<Unplaced> unplaced, List<Wake> wakes, M memory) {
    public Plan {
        proposals = List.copyOf(proposals);
        unplaced = List.copyOf(unplaced);
        wakes = List.copyOf(wakes);
    }

    /** A plan without proposals of its own besides the drafts on the views. */
    public static <M> Plan<M> of(List<Unplaced> unplaced, List<Wake> wakes, M memory) {
        return new Plan<>(List.of(), unplaced, wakes, memory);
    }
}
