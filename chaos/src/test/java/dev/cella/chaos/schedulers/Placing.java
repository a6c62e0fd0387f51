package dev.cella.chaos.schedulers;

import dev.cella.scheduling.Candidates;
import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** The greedy part of these schedulers: tasks one after another onto candidates. */
final class Placing {
    private final Choice choice;

    Placing(Choice choice) {
        this.choice = choice;
    }

    /** Everything that finds room; answers what does not. */
    List<Unplaced> place(List<PlanningView> cells, Work work, long seed) {
        return place(Integer.MAX_VALUE, cells, work, seed, cell -> cell);
    }

    /** The same on a part of each cell. */
    List<Unplaced> placeWithin(UnaryOperator<PlanningView> part, List<PlanningView> cells, Work work, long seed) {
        return place(Integer.MAX_VALUE, cells, work, seed, part);
    }

    /** At most {@code tasks} tasks of each group. */
    List<Unplaced> placeAtMost(int tasks, List<PlanningView> cells, Work work, long seed) {
        return place(tasks, cells, work, seed, cell -> cell);
    }

    private List<Unplaced> place(
            int most, List<PlanningView> cells, Work work, long seed, UnaryOperator<PlanningView> part) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Unplaced> left = new ArrayList<>();
        for (JobWork job : work.jobs()) {
            for (PendingGroup group : part.apply(job.in(cells)).pendingGroups(job.id())) {
                if (!place(group, most, random)) {
                    left.add(group.explain());
                }
            }
        }
        return left;
    }

    /** Tells whether it did not run out of machines. */
    private boolean place(PendingGroup group, int most, SplittableRandom random) {
        Candidates candidates = group.candidates(choice, random);
        for (int placed = 0; placed < most && group.hasNext(); placed++) {
            int machine = candidates.next();
            if (machine == Candidates.NONE) {
                return false;
            }
            group.claimNext(machine);
        }
        return true;
    }
}
