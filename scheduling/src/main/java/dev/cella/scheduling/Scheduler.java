package dev.cella.scheduling;

import dev.cella.transactions.model.JobHeader;
import java.util.List;
import java.util.Optional;

/**
 * Decides where tasks go: a function of the cells, some work and a context. It has no clock, no randomness but the seed, no
 * I/O and no state of its own. Its memory leaves with a plan and returns with the next call. So the same scheduler runs live,
 * in the simulator and in a test, and the same arguments give the same plan.
 *
 * <p>A plan may be out of date when it is committed, because others plan over the same machines at the same time. The commit
 * answers with conflicts, and the job gets another turn (dissertation 6.2.1).
 *
 * <p>A scheduler that plans one job at a time is easier to write as a {@link JobPlanner}.
 *
 * @param <M> its memory, an immutable value
 */
public interface Scheduler<M> {
    /** The memory before the first plan. */
    M start();

    /** The policy that chooses the next work. The host calls this once. */
    default Agenda<M> agenda() {
        return Agenda.inOrder(QueueOrder.PRIORITY);
    }

    /**
     * Plans some work. Its drafts on the views (claims, evictions, holds, steps, scales) become transactions under the rules
     * of the jobs when it returns; after that the views are invalid. It returns which tasks are left and what it waits for.
     */
    Plan<M> plan(List<PlanningView> cells, Work work, PlanContext<M> context);

    /**
     * Returns whether the job also gets turns while none of its tasks waits for a machine: once when this instance begins
     * to serve it, whenever it changes, when a machine with a task of it begins to drain until a deadline, and at a wake
     * that its last plan asked for. So a scheduler can update, move or scale running tasks.
     */
    default boolean tends(JobHeader job) {
        return false;
    }

    /**
     * Returns whether its plans may take long, and how many of them may be under way at once. By default a plan is a matter of
     * milliseconds: the host makes it on its own copy of the cells, which stands still until the plan returns.
     */
    default Optional<LongPlans> longPlans() {
        return Optional.empty();
    }

    /** Returns whether its plans read {@link Observations#waits}. Otherwise a live host does not ask the cell for them. */
    default boolean observesWaits() {
        return false;
    }

    /**
     * How many tasks it has sent to machines of one of its cells on which another instance plans first. A host that works on
     * several cells shows it.
     *
     * @param cell the place of the cell among those of {@link #plan}
     */
    default long repartitions(int cell, M memory) {
        return 0;
    }

    /**
     * How often it gets a turn about the cells themselves, with no job in its {@link Work}; never, unless it says so. The next
     * round begins when the views show the results of the last one. There are rounds as long as the scheduler is not paused in
     * all of its cells. A round gets nothing in a cell where it is paused.
     */
    default Optional<Rounds> rounds() {
        return Optional.empty();
    }
}
