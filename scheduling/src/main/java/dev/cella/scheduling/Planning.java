package dev.cella.scheduling;

import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One plan, from the scheduler's call to its transactions. It does what every plan needs, for any scheduler: it takes back
 * incomplete gangs, explains what {@code runningMax} keeps back, does not propose a part of an all-or-nothing job, requests
 * holds for gangs that starve, and sets the right wakes for groups with tasks left.
 *
 * <p>For hosts of schedulers. Belongs to one plan and its thread.
 */
public final class Planning<M> {
    private final List<PlanningView> cells;
    private final Work work;
    private final PlanContext<M> context;
    private final List<Proposal> proposals;
    private final List<Unplaced> unplaced;
    private final List<Wake> wakes;
    private final Plan<M> planned;

    private Planning(List<PlanningView> cells, Work work, PlanContext<M> context, Plan<M> plan) {
        this.cells = cells;
        this.work = work;
        this.context = context;
        this.proposals = new ArrayList<>(plan.proposals());
        this.unplaced = new ArrayList<>(plan.unplaced());
        this.wakes = new ArrayList<>(plan.wakes());
        this.planned = plan;
    }

    /** The scheduler's plan, with all its drafts as proposals. */
    public static <M> Plan<M> plan(
            Scheduler<M> scheduler, List<PlanningView> cells, Work work, PlanContext<M> context) {
        if (work.jobs().size() == 1) {
            JobWork only = work.jobs().get(0);
            only.in(cells).planFor(only.id());
        }
        Plan<M> plan = scheduler.plan(cells, work, context);
        return new Planning<>(cells, work, context, plan).finish();
    }

    private Plan<M> finish() {
        work.jobs().forEach(this::finish);
        for (PlanningView cell : cells) {
            cell.unproposedJobs().forEach(other -> proposeForOther(other, cell));
            if (cell.hasUnproposed()) {
                proposals.addAll(cell.propose(Atomicity.INCREMENTAL, ConflictRule.RESOURCE));
            }
        }
        return new Plan<>(proposals, unplaced, wakes, planned.memory(), List.of(), planned.reverts(), planned.notes());
    }

    /**
     * A plan may stop, scale or hold for any of the scheduler's jobs, but it may claim only for those of its turn.
     */
    private void proposeForOther(JobId other, PlanningView cell) {
        if (cell.unproposed(other) > 0) {
            throw new IllegalStateException("the planner claims for job " + other + ", whose turn it is not");
        }
        proposals.addAll(cell.propose(other, Atomicity.INCREMENTAL, ConflictRule.RESOURCE));
    }

    private void finish(JobWork job) {
        PlanningView cell = job.in(cells);
        List<Unplaced> left = takeLeft(job);
        explainKeptBack(job, cell, left);
        undoPartsOfGangs(job, cell, left);
        List<Wake> defaults = new ArrayList<>();
        left.forEach(each -> defaults.addAll(cell.wakes(each)));
        undoWhatCannotCommit(job, cell, left);
        unplaced.addAll(left);
        GangHolds gangs = new GangHolds(job, cell, context.now(), left);
        if (!isTurnNextAtOnce(job, cell, left)) {
            addWakes(job, defaults);
            gangs.wake().ifPresent(wakes::add);
        }
        gangs.draft(new SplittableRandom(Digests.mix(context.seed(), job.id().version() + 1)));
        proposals.addAll(cell.propose(job, work.jobs().size() == 1));
    }

    private void addWakes(JobWork job, List<Wake> defaults) {
        if (saysNoWakes(job)) {
            wakes.addAll(defaults);
        }
        for (Wake wake : planned.besides()) {
            if (wake.job().equals(job.key())) {
                wakes.add(wake);
            }
        }
    }

    private boolean saysNoWakes(JobWork job) {
        for (Wake wake : wakes) {
            if (wake.job().equals(job.key())) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the plan has a place for some task of the job, in a queue too, and tasks are left without an explanation. */
    private static boolean isTurnNextAtOnce(JobWork job, PlanningView cell, List<Unplaced> left) {
        int explained = 0;
        for (Unplaced each : left) {
            explained += each.tasks();
        }
        return cell.asksForPlaces(job.id()) && cell.pending(job.id()) > explained;
    }

    private List<Unplaced> takeLeft(JobWork job) {
        List<Unplaced> left = new ArrayList<>();
        if (unplaced.isEmpty()) {
            return left;
        }
        for (Unplaced each : unplaced) {
            if (each.key().equals(job.key())) {
                left.add(each);
            }
        }
        unplaced.removeAll(left);
        return left;
    }

    /** Explains the tasks that runningMax, a quota or a right keeps back, which a planner does not see. */
    private static void explainKeptBack(JobWork job, PlanningView cell, List<Unplaced> left) {
        if (!cell.mayKeepBack(job.id(), job.job())) {
            return;
        }
        for (PendingGroup group : cell.pendingGroups(job.id())) {
            boolean said = left.stream().anyMatch(each -> each.group() == group.place());
            if (!said && (group.isAtRunningMax() || group.policy().isPresent())) {
                left.add(group.explain());
            }
        }
    }

    /** Takes back a gang that found too little room: the commit would only refuse it. */
    private static void undoPartsOfGangs(JobWork job, PlanningView cell, List<Unplaced> left) {
        if (!job.job().hasGangs()) {
            return;
        }
        for (Unplaced gang : cell.undoPartsOfGangs(job.id())) {
            left.removeIf(part -> part.group() == gang.group());
            left.add(gang);
        }
    }

    /** Takes back a part of an all-or-nothing job, and does not split it: the commit would only refuse it. */
    private static void undoWhatCannotCommit(JobWork job, PlanningView cell, List<Unplaced> left) {
        if (job.job().atomicity() != Atomicity.ALL_OR_NOTHING) {
            return;
        }
        boolean tooMany = cell.unproposed(job.id()) > cell.claimsMax();
        if (tooMany || !left.isEmpty()) {
            cell.undo(job.id());
        }
        if (tooMany) {
            left.addAll(explainTooMany(job, cell));
        }
    }

    private static List<Unplaced> explainTooMany(JobWork job, PlanningView cell) {
        Optional<String> limit = Optional.of("the limit of " + cell.claimsMax() + " claims a transaction");
        return cell.pendingGroups(job.id()).stream()
                .map(group -> group.explain(machine -> limit))
                .toList();
    }
}
