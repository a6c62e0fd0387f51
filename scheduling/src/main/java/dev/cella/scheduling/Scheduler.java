package dev.cella.scheduling;

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

    /**
     * Plans some work. The drafts belong to this call: what it claims on them is what {@link PlanningView#propose} turns
     * into proposals, and they are void when it returns.
     */
    Plan<M> plan(List<PlanningView> cells, Work work, PlanContext<M> context);

    /** Which of its jobs is next, where several wait. */
    default QueueOrder order() {
        return QueueOrder.PRIORITY;
    }
}
