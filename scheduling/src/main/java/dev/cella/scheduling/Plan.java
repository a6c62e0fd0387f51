package dev.cella.scheduling;

import java.util.List;

/**
 * The decision of a scheduler: why tasks were not placed, what would change that, and its memory. The drafts on its views are
 * proposed when the plan returns. {@code proposals} are those that it made from drafts itself, for rules other than the job's
 * own. They are committed first, in this order.
 *
 * <p>A group with tasks left and no wake of its job sleeps until there is room for one of its tasks. A pending task that is
 * neither claimed nor counted as unplaced is work for the job's next turn, which comes at once if this plan drafted something.
 *
 * @param besides wakes beside those that a job gets by default; {@code wakes} take the place of those
 * @param reverts jobs that are to become again what they were
 * @param notes how jobs stand, for people
 */
public record Plan<M>(
        List<Proposal> proposals,
        List<Unplaced> unplaced,
        List<Wake> wakes,
        M memory,
        List<Wake> besides,
        List<Revert> reverts,
        List<Note> notes) {
    public Plan {
        proposals = List.copyOf(proposals);
        unplaced = List.copyOf(unplaced);
        wakes = List.copyOf(wakes);
        besides = List.copyOf(besides);
        reverts = List.copyOf(reverts);
        notes = List.copyOf(notes);
    }

    /** A plan without reverts, notes and wakes beside those by default. */
    public Plan(List<Proposal> proposals, List<Unplaced> unplaced, List<Wake> wakes, M memory) {
        this(proposals, unplaced, wakes, memory, List.of(), List.of(), List.of());
    }

    /** A plan without proposals of its own besides the drafts on the views. */
    public static <M> Plan<M> of(List<Unplaced> unplaced, List<Wake> wakes, M memory) {
        return new Plan<>(List.of(), unplaced, wakes, memory);
    }

    /** The same plan, whose jobs also wake on these, beside the wakes that they get by default. */
    public Plan<M> wakingAlsoOn(List<Wake> more) {
        return new Plan<>(proposals, unplaced, wakes, memory, more, reverts, notes);
    }
}
