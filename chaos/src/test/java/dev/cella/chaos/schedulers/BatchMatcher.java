package dev.cella.chaos.schedulers;

import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.BestFit;
import dev.cella.scheduling.Candidates;
import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Standing;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Waiting;
import dev.cella.scheduling.Work;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;

/** Matches the tasks of many jobs with machines in one plan: the largest task first, whichever job it is of. */
public final class BatchMatcher implements Scheduler<String> {
    private static final int JOBS_MAX = 20;

    @Override
    public String start() {
        return "";
    }

    @Override
    public Agenda<String> agenda() {
        return BatchMatcher::next;
    }

    private static List<JobKey> next(Standing standing, String memory) {
        List<JobKey> jobs = new ArrayList<>();
        Iterator<Waiting> waiting = standing.jobs();
        while (waiting.hasNext() && jobs.size() < JOBS_MAX) {
            jobs.add(waiting.next().key());
        }
        return jobs;
    }

    @Override
    public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
        SplittableRandom random = new SplittableRandom(context.seed());
        List<PendingGroup> groups = new ArrayList<>();
        for (JobWork job : work.jobs()) {
            groups.addAll(job.in(cells).pendingGroups(job.id()));
        }
        groups.sort(
                Comparator.comparingLong((PendingGroup group) -> group.shape().at(0))
                        .reversed());
        List<Unplaced> left = new ArrayList<>();
        for (PendingGroup group : groups) {
            match(group, random);
            if (group.hasNext()) {
                left.add(group.explain());
            }
        }
        return Plan.of(left, List.of(), context.memory());
    }

    private static void match(PendingGroup group, SplittableRandom random) {
        Candidates candidates = group.candidates(Choice.bestOf(8, new BestFit()), random);
        int machine = group.hasNext() ? candidates.next() : Candidates.NONE;
        while (machine != Candidates.NONE) {
            group.claimNext(machine);
            machine = group.hasNext() ? candidates.next() : Candidates.NONE;
        }
    }
}
