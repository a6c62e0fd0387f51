package dev.cella.scheduling;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Another planner, and what it leaves is placed with evictions where the scheduler's rights allow that: {@link Preemption}. */
public final class Preempting implements JobPlanner {
    /** The option by which types say whether they preempt. */
    public static final SchedulerOption OPTION = new SchedulerOption(
            "preemption", "lower", "evicts tasks of less important jobs for tasks that find no room: lower, never");

    private final JobPlanner planner;

    private Preempting(JobPlanner planner) {
        this.planner = planner;
    }

    /** The planner itself, or with evictions, as the options say. */
    public static JobPlanner of(JobPlanner planner, SchedulerOptions options) {
        String word = options.text(OPTION.name());
        return switch (word) {
            case "lower" -> new Preempting(planner);
            case "never" -> planner;
            default -> throw new IllegalArgumentException("option preemption is one of lower, never, not " + word);
        };
    }

    @Override
    public List<Unplaced> plan(JobWork work, PlanningView cell, SplittableRandom random) {
        List<Unplaced> left = planner.plan(work, cell, random);
        if (left.isEmpty()) {
            return left;
        }
        List<Unplaced> still = new ArrayList<>(left);
        for (PendingGroup group : cell.pendingGroups(work.id())) {
            int before = group.left();
            Preemption.claim(group, cell);
            if (group.left() < before) {
                still.removeIf(each -> each.group() == group.place());
                if (group.hasNext()) {
                    still.add(group.explain());
                }
            }
        }
        return still;
    }

    @Override
    public List<Wake> wakes(JobWork work, PlanningView cell, List<Unplaced> left) {
        return planner.wakes(work, cell, left);
    }

    /** Less important tasks that are placed later may be evicted for it. */
    @Override
    public List<Wake> wakesBesides(JobWork work, PlanningView cell, List<Unplaced> left) {
        List<Wake> wakes = new ArrayList<>(planner.wakesBesides(work, cell, left));
        if (!left.isEmpty()) {
            wakes.add(new Wake.On(work.key(), Happening.OVERTAKEN));
        }
        return wakes;
    }
}
