package dev.cella.scheduler.batch.sparrow;

import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Unplaced;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Sparrow's placement: d machines for each task of a job, drawn for the whole job at once (batch sampling). The task waits in
 * their queues, and the first of them with room starts it (late binding): no estimate of a queue's wait is needed.
 *
 * <p>In the paper a reservation is for any task of the job. Here a queue row is for one task, so a job of m tasks has m times d
 * rows, d for each task. Tasks that must start together, or whose machines depend on each other's, are placed at once.
 */
final class SparrowPlanner implements JobPlanner {
    private final int probes;

    /** @param probes how many machines are asked for each task */
    SparrowPlanner(int probes) {
        this.probes = probes;
    }

    @Override
    public List<Unplaced> plan(JobWork work, PlanningView cell, SplittableRandom random) {
        List<Unplaced> unplaced = new ArrayList<>();
        for (PendingGroup group : cell.pendingGroups(work.id())) {
            if (group.mayQueue()) {
                queue(group, cell, random);
            } else {
                group.place(Choice.FIRST_FIT, random);
            }
            if (group.hasNext()) {
                unplaced.add(group.explain());
            }
        }
        return unplaced;
    }

    private void queue(PendingGroup group, PlanningView cell, SplittableRandom random) {
        int[] machines = cell.slots().filter(group::mayWaitOn).toArray();
        if (machines.length == 0) {
            return;
        }
        int[] drawn = new BatchSampling(machines.length, probes).probes(group.left(), random);
        int from = 0;
        while (group.hasNext() && from < drawn.length) {
            Set<Integer> ofTask = new LinkedHashSet<>();
            for (int probe = from; probe < from + probes; probe++) {
                int machine = machines[drawn[probe]];
                if (group.mayWaitOn(machine)) {
                    ofTask.add(machine);
                }
            }
            if (!ofTask.isEmpty()) {
                group.queueNext(List.copyOf(ofTask));
            }
            from += probes;
        }
    }
}
