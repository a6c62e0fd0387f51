package dev.cella.scheduler.batch;

import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.TaskByTask;
import dev.cella.scheduling.Unplaced;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Puts each task on the first machine that it fits, in random order: the algorithm of all schedulers in the dissertation's
 * simulations (section 3.2).
 *
 * <p>It takes what it finds, so it is fast. No two attempts use the same order, so planners that work on the same view at the
 * same time rarely claim the same machine.
 */
public final class RandomisedFirstFit implements JobPlanner {
    private final JobPlanner planner = new TaskByTask(Choice.FIRST_FIT);

    @Override
    public List<Unplaced> plan(JobWork work, PlanningView cell, SplittableRandom random) {
        return planner.plan(work, cell, random);
    }
}
