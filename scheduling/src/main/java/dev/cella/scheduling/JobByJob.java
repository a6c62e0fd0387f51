package dev.cella.scheduling;

import dev.cella.transactions.model.Digests;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Adapts a {@link JobPlanner} to a scheduler: it plans its jobs one after another, each in its cell, and has no memory.
 */
final class JobByJob implements Scheduler<JobByJob.Nothing> {
    /** The empty memory. */
    enum Nothing {
        NOTHING
    }

    private final JobPlanner planner;
    private final QueueOrder order;

    JobByJob(JobPlanner planner, QueueOrder order) {
        this.planner = planner;
        this.order = order;
    }

    @Override
    public Agenda<Nothing> agenda() {
        return Agenda.inOrder(order);
    }

    @Override
    public Nothing start() {
        return Nothing.NOTHING;
    }

    @Override
    public Plan<Nothing> plan(List<PlanningView> cells, Work work, PlanContext<Nothing> context) {
        List<Unplaced> unplaced = new ArrayList<>();
        List<Wake> wakes = new ArrayList<>();
        List<Wake> besides = new ArrayList<>();
        for (JobWork job : work.jobs()) {
            PlanningView cell = job.in(cells);
            cell.planFor(job.id());
            SplittableRandom random =
                    new SplittableRandom(Digests.mix(context.seed(), job.id().version()));
            List<Unplaced> left = planner.plan(job, cell, random);
            unplaced.addAll(left);
            wakes.addAll(planner.wakes(job, cell, left));
            besides.addAll(planner.wakesBesides(job, cell, left));
        }
        return Plan.of(unplaced, wakes, context.memory()).wakingAlsoOn(besides);
    }
}
