package dev.cella.scheduling;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The simple interface: a scheduler that plans one job at a time and has no memory. It claims machines for the job's pending
 * tasks on the view and returns why the others were left. {@link #scheduler} does the rest: transactions under the job's own
 * rules, all or nothing if the job asks for it, and sleep until a machine gains the missing room.
 */
@FunctionalInterface
public interface JobPlanner {
    /**
     * Plans one job.
     *
     * @param random with a new seed for each attempt, the only source of randomness
     * @return the tasks that were not placed, by group
     */
    List<Unplaced> plan(JobWork work, PlanningView cell, SplittableRandom random);

    /**
     * What the job waits for before its next turn, for a policy that knows better than the default. By default a job with
     * tasks left sleeps until a machine has room for one of them ({@link PlanningView#wakes}). A job whose gang waits is also
     * planned when it is time to hold machines for it.
     */
    default List<Wake> wakes(JobWork work, PlanningView cell, List<Unplaced> left) {
        return List.of();
    }

    /** What the job waits for beside {@link #wakes} or the default. */
    default List<Wake> wakesBesides(JobWork work, PlanningView cell, List<Unplaced> left) {
        return List.of();
    }

    /** This planner as a scheduler. */
    default Scheduler<?> scheduler() {
        return scheduler(QueueOrder.PRIORITY);
    }

    /** This planner as a scheduler that gets its jobs in that order. */
    default Scheduler<?> scheduler(QueueOrder order) {
        return new JobByJob(this, order);
    }
}
