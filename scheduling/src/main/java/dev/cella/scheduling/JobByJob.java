package dev.cella.scheduling;

import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Digests;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A {@link JobPlanner} as a scheduler: its jobs one after another, on the one cell it is shown. It remembers for which of
 * them it has just asked for holds.
 */
final class JobByJob implements Scheduler<GangHolds.Asked> {
    private final JobPlanner planner;
    private final QueueOrder order;

    JobByJob(JobPlanner planner, QueueOrder order) {
        this.planner = planner;
        this.order = order;
    }

    @Override
    public QueueOrder order() {
        return order;
    }

    @Override
    public GangHolds.Asked start() {
        return GangHolds.Asked.NOTHING;
    }

    @Override
    public Plan<GangHolds.Asked> plan(List<PlanningView> cells, Work work, PlanContext<GangHolds.Asked> context) {
        PlanningView cell = cells.get(0);
        GangHolds.Asked asked = context.memory();
        List<Proposal> proposals = new ArrayList<>();
        List<Unplaced> unplaced = new ArrayList<>();
        List<Wake> wakes = new ArrayList<>();
        for (JobWork job : work.jobs()) {
            SplittableRandom random =
                    new SplittableRandom(Digests.mix(context.seed(), job.id().version()));
            cell.planFor(job.id());
            List<Unplaced> left = new ArrayList<>(planner.plan(job, cell, random));
            left.addAll(explainKeptBack(job, cell));
            undoPartsOfGangs(job, cell, left);
            left.forEach(each -> wakes.addAll(cell.wakes(each)));
            unplaced.addAll(left);
            unplaced.addAll(undoWhatCannotCommit(job, cell, left));
            proposals.addAll(cell.propose(job.job()));
            GangHolds gangs = new GangHolds(job, cell, context.now());
            gangs.wake().ifPresent(wakes::add);
            Optional<Proposal> holds = gangs.ask(asked, random);
            if (holds.isPresent()) {
                proposals.add(holds.get());
                asked = asked.and(job.id(), context.now());
            }
        }
        return new Plan<>(proposals, unplaced, wakes, asked);
    }

    /** The tasks that runningMax keeps back, of which a planner does not hear. */
    private static List<Unplaced> explainKeptBack(JobWork job, PlanningView cell) {
        if (job.job().groups().stream().allMatch(group -> group.runningMax() == 0)) {
            return List.of();
        }
        return cell.pendingGroups(job.id()).stream()
                .filter(PendingGroup::isAtRunningMax)
                .map(PendingGroup::explain)
                .toList();
    }

    /** A gang of which too few found room is not proposed: the commit would only refuse it. */
    private static void undoPartsOfGangs(JobWork job, PlanningView cell, List<Unplaced> left) {
        if (!job.job().hasGangs()) {
            return;
        }
        for (PendingGroup group : cell.pendingGroups(job.id())) {
            Optional<Unplaced> undone = group.undoPartOfGang();
            undone.ifPresent(all -> {
                left.removeIf(part -> part.group() == group.place());
                left.add(all);
            });
        }
    }

    /** A job that wants all or nothing is not proposed in part, nor in parts: the commit would only refuse it. */
    private static List<Unplaced> undoWhatCannotCommit(JobWork job, PlanningView cell, List<Unplaced> left) {
        if (job.job().atomicity() != Atomicity.ALL_OR_NOTHING) {
            return List.of();
        }
        boolean tooMany = cell.unproposed() > cell.claimsMax();
        if (tooMany || !left.isEmpty()) {
            cell.undo();
        }
        return tooMany ? explainTooMany(job, cell) : List.of();
    }

    private static List<Unplaced> explainTooMany(JobWork job, PlanningView cell) {
        Optional<String> limit = Optional.of("the limit of " + cell.claimsMax() + " claims a transaction");
        return cell.pendingGroups(job.id()).stream()
                .map(group -> group.explain(machine -> limit))
                .toList();
    }
}
