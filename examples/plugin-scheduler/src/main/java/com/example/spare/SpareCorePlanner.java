package com.example.spare;

import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Unplaced;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Puts each task on the first machine that keeps some cores free, looking from a random one on. */
final class SpareCorePlanner implements JobPlanner {
    private static final String CPU = "cpuMilli";

    private final long spareCpuMilli;

    SpareCorePlanner(long spareCpuMilli) {
        this.spareCpuMilli = spareCpuMilli;
    }

    @Override
    public List<Unplaced> plan(JobWork work, PlanningView cell, SplittableRandom random) {
        List<Unplaced> left = new ArrayList<>();
        for (PendingGroup group : cell.pendingGroups(work.id())) {
            place(group, cell, random.nextInt(Math.max(1, cell.machines())));
            if (group.hasNext()) {
                left.add(group.explain(machine -> Optional.of("spareCpuMilli=" + spareCpuMilli)));
            }
        }
        return left;
    }

    private void place(PendingGroup group, PlanningView cell, int start) {
        for (int step = 0; step < cell.machines(); step++) {
            int machine = (start + step) % cell.machines();
            while (group.hasNext() && group.takes(machine) && staysSpare(group, cell, machine)) {
                group.claimNext(machine);
            }
        }
    }

    /** The free amount is the cell's free amount less what this plan has claimed. */
    private boolean staysSpare(PendingGroup group, PlanningView cell, int machine) {
        return cell.free(machine, CPU) - group.asks(CPU) >= spareCpuMilli;
    }
}
