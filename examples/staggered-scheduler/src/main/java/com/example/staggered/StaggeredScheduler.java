package com.example.staggered;

import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Gives each machine one task at a time, and the next one after a gap, so that starting tasks do not share a disk. Tasks wait
 * although machines have room for them. The memory says which machines rest; a wake ends the wait.
 */
final class StaggeredScheduler implements Scheduler<LastStarts> {
    private final long gapMillis;

    StaggeredScheduler(long gapMillis) {
        this.gapMillis = gapMillis;
    }

    @Override
    public LastStarts start() {
        return LastStarts.NONE;
    }

    @Override
    public Agenda<LastStarts> agenda() {
        return Agenda.inOrder(QueueOrder.FIFO);
    }

    @Override
    public Plan<LastStarts> plan(List<PlanningView> cells, Work work, PlanContext<LastStarts> context) {
        LastStarts starts = context.memory().resting(context.now(), gapMillis);
        SplittableRandom random = new SplittableRandom(context.seed());
        List<Unplaced> left = new ArrayList<>();
        List<Wake> wakes = new ArrayList<>();
        for (JobWork job : work.jobs()) {
            PlanningView cell = job.in(cells);
            for (PendingGroup group : cell.pendingGroups(job.id())) {
                starts = place(group, cell, starts, context, random);
                if (group.hasNext()) {
                    left.add(explain(group, cell, starts));
                    starts.first().ifPresent(time -> wakes.add(new Wake.At(job.key(), time.plusMillis(gapMillis))));
                }
            }
        }
        return Plan.of(left, List.of(), starts).wakingAlsoOn(wakes);
    }

    private static LastStarts place(
            PendingGroup group,
            PlanningView cell,
            LastStarts before,
            PlanContext<LastStarts> context,
            SplittableRandom random) {
        LastStarts starts = before;
        int first = random.nextInt(Math.max(1, cell.machines()));
        for (int step = 0; step < cell.machines() && group.hasNext(); step++) {
            int machine = (first + step) % cell.machines();
            if (group.takes(machine) && !starts.has(machine(cell, machine))) {
                group.claimNext(machine);
                starts = starts.with(machine(cell, machine), context.now());
            }
        }
        return starts;
    }

    private Unplaced explain(PendingGroup group, PlanningView cell, LastStarts starts) {
        return group.explain(machine -> starts.has(machine(cell, machine))
                ? Optional.of("gapMillis=" + gapMillis + " after its last start")
                : Optional.empty());
    }

    private static LastStarts.Machine machine(PlanningView cell, int machine) {
        return new LastStarts.Machine(cell.place(), cell.view().machineName(machine));
    }
}
