package dev.cella.scheduling;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Places a job's tasks one after another, each on the machine that its group prefers; a {@link Choice} decides among equals.
 */
public final class TaskByTask implements JobPlanner {
    private final Choice choice;

    public TaskByTask(Choice choice) {
        this.choice = choice;
    }

    @Override
    public List<Unplaced> plan(JobWork work, PlanningView cell, SplittableRandom random) {
        List<Unplaced> unplaced = new ArrayList<>();
        for (PendingGroup group : cell.pendingGroups(work.id())) {
            group.place(choice, random);
            if (group.hasNext()) {
                unplaced.add(group.explain());
            }
        }
        return unplaced;
    }
}
