package dev.cella.scheduling;

import dev.cella.transactions.model.JobHeader;
import java.util.List;

/**
 * Decides where tasks go: a function of the cells it is shown, some work and a context. It has no clock, no randomness
 * but the seed, no I/O and no state of its own; what it wants to remember goes out with a plan and comes in with the next
 * one. So the same scheduler runs live, in the simulator and in a test, and the same arguments give the same plan.
 *
 * <p>A plan may be out of date when it is committed: others plan over the same machines at the same time. What then
 * conflicts is answered, and the job gets another turn (dissertation 6.2.1).
 *
 * <p>One that decides a job at a time is easier written as a {@link JobPlanner}.
 *
 * @param <M> its memory, an immutable value
 */
public interface Scheduler<M> {
    /** The memory before the first plan. */
    M start();

    /** Which of the work that waits is next. It is asked for once. */
    default Agenda<M> agenda() {
        return Agenda.inOrder(QueueOrder.PRIORITY);
    }

    /**
     * Plans some work. What it drafts on the views (claims, evictions, holds, steps, scales) becomes transactions under the
     * rules of the jobs when it returns; the views are void then. It answers what it left and what it waits for.
     */
    Plan<M> plan(List<PlanningView> cells, Work work, PlanContext<M> context);

    /**
     * Whether the job also gets turns while none of its tasks waits for a machine: once when this instance begins to serve
     * it, whenever it changes, and when a wake comes that its last plan asked for. So a scheduler updates, moves or scales
     * what runs.
     */
    default boolean tends(JobHeader job) {
        return false;
    }
}
