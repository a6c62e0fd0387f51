package dev.cella.scheduler.service;

import dev.cella.scheduler.service.UpdateMemory.Watched;
import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Note;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Revert;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Places services ({@link ServicePlanner}), updates them ({@link JobUpdate}) and moves their tasks ({@link Rebalancing}), a job
 * at a time.
 */
final class ServiceScheduler implements Scheduler<UpdateMemory> {
    private final JobPlanner planner;
    private final Rebalancing rebalancing;
    private final QueueOrder order;

    ServiceScheduler(JobPlanner planner, Rebalancing rebalancing, QueueOrder order) {
        this.planner = planner;
        this.rebalancing = rebalancing;
        this.order = order;
    }

    @Override
    public UpdateMemory start() {
        return UpdateMemory.NOTHING;
    }

    @Override
    public Agenda<UpdateMemory> agenda() {
        return Agenda.inOrder(order);
    }

    @Override
    public boolean tends(JobHeader job) {
        return job.type() == JobType.SERVICE;
    }

    @Override
    public Plan<UpdateMemory> plan(List<PlanningView> cells, Work work, PlanContext<UpdateMemory> context) {
        List<Unplaced> unplaced = new ArrayList<>();
        List<Wake> besides = new ArrayList<>();
        List<Revert> reverts = new ArrayList<>();
        List<Note> notes = new ArrayList<>();
        Map<JobKey, Watched> watched = new HashMap<>(context.memory().jobs());
        for (JobWork job : work.jobs()) {
            PlanningView cell = job.in(cells);
            long seed = Digests.mix(context.seed(), job.id().version());
            List<Unplaced> left = planner.plan(job, cell, new SplittableRandom(seed));
            unplaced.addAll(left);
            besides.addAll(planner.wakesBesides(job, cell, left));
            Optional<Watched> known = Optional.ofNullable(watched.remove(job.key()));
            if (tends(job.job())) {
                JobRow row = cell.view().job(job.id()).orElseThrow();
                JobUpdate update = new JobUpdate(job, row, cell, rebalancing, context.now(), known);
                update.goOn(left);
                update.watch().ifPresent(watch -> watched.put(job.key(), watch));
                besides.addAll(update.wakes());
                update.revert().ifPresent(reverts::add);
                update.note().ifPresent(notes::add);
            }
        }
        forgetEnded(watched, cells);
        return new Plan<>(List.of(), unplaced, List.of(), new UpdateMemory(watched), besides, reverts, notes);
    }

    private static void forgetEnded(Map<JobKey, Watched> watched, List<PlanningView> cells) {
        watched.keySet()
                .removeIf(key -> cells.get(key.cell())
                        .view()
                        .job(key.id())
                        .filter(job -> !job.isEnded())
                        .isEmpty());
    }
}
