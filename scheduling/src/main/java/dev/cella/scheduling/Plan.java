package dev.cella.scheduling;

import java.util.List;

/**
 * What a scheduler decided: why tasks were not placed, what would change that, and what it wants to remember. What it
 * drafted on its views is proposed when the plan returns; {@code proposals} are those that it made of drafts by itself, for
 * rules other than the job's own. They are committed first, in this order.
 *
 * <p>A group that is left without a wake of its job sleeps until there is room for one of its tasks. A pending task that is
 * neither claimed nor counted as unplaced is work for the job's next turn, which comes at once if this plan drafted
 * something.
 */
public record Plan<M>(List<Proposal> proposals, List<Unplaced> unplaced, List<Wake> wakes, M memory) {
    public Plan {
        proposals = List.copyOf(proposals);
        unplaced = List.copyOf(unplaced);
        wakes = List.copyOf(wakes);
    }

    /** Nothing beside what was drafted on the views. */
    public static <M> Plan<M> of(List<Unplaced> unplaced, List<Wake> wakes, M memory) {
        return new Plan<>(List.of(), unplaced, wakes, memory);
    }
}
