package dev.cella.scheduling.loop;

import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Unplaced;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Planners so simple that a table can describe their behaviour. */
final class Planners {
    /** Fills the machines one after another. */
    static final JobPlanner FIRST_FIT = (work, cell, random) -> {
        List<Unplaced> unplaced = new ArrayList<>();
        for (PendingGroup group : cell.pendingGroups(work.id())) {
            while (group.hasNext() && firstFit(cell, group) >= 0) {
                group.claimNext(firstFit(cell, group));
            }
            if (group.hasNext()) {
                unplaced.add(group.explain());
            }
        }
        return unplaced;
    };

    /** First fit that keeps its tasks off the first machine. */
    static final JobPlanner AVOIDS_THE_FIRST = (work, cell, random) -> {
        List<Unplaced> unplaced = new ArrayList<>();
        for (PendingGroup group : cell.pendingGroups(work.id())) {
            for (int machine = 1; machine < cell.machines() && group.hasNext(); machine++) {
                if (cell.fits(machine, group.shape())) {
                    group.claimNext(machine);
                }
            }
            if (group.hasNext()) {
                unplaced.add(group.explain(machine -> Optional.of("policy")));
            }
        }
        return unplaced;
    };

    /** First fit that replaces the tasks of the job that run. */
    static final JobPlanner REPLACES_WHAT_RUNS = (work, cell, random) -> {
        cell.tasksOf(work.id()).stream()
                .filter(task -> task.state() == TaskState.RUNNING)
                .forEach(cell::replace);
        return FIRST_FIT.plan(work, cell, random);
    };

    /** Claims all it can, without an explanation. */
    static final JobPlanner THROWS = (work, cell, random) -> {
        FIRST_FIT.plan(work, cell, random);
        throw new IllegalStateException("no idea");
    };

    /** Claims all it can, and is given up before it can take that back, like a planner that never returns. */
    static final JobPlanner GIVEN_UP = (work, cell, random) -> {
        List<Unplaced> unplaced = FIRST_FIT.plan(work, cell, random);
        cell.giveUp();
        return unplaced;
    };

    static final JobPlanner SAYS_NOTHING = (work, cell, random) -> List.of();

    private static int firstFit(PlanningView cell, PendingGroup group) {
        for (int machine = 0; machine < cell.machines(); machine++) {
            if (cell.fits(machine, group.shape())) {
                return machine;
            }
        }
        return -1;
    }

    private Planners() {}
}
