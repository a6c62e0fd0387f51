package dev.cella.chaos.schedulers;

import dev.cella.scheduling.Choice;
import dev.cella.scheduling.Happening;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Replaces tasks of older generations one after another: the next one when the last one runs again. */
public final class Roller implements Scheduler<String> {
    private final Placing placing = new Placing(Choice.FIRST_FIT);

    @Override
    public String start() {
        return "";
    }

    @Override
    public boolean tends(JobHeader job) {
        return true;
    }

    @Override
    public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
        List<Unplaced> left = placing.place(cells, work, context.seed());
        List<Wake> wakes = new ArrayList<>();
        for (JobWork job : work.jobs()) {
            wakes.addAll(roll(job, job.in(cells), left));
        }
        return Plan.of(left, wakes, context.memory());
    }

    private static List<Wake> roll(JobWork job, PlanningView cell, List<Unplaced> left) {
        List<TaskRow> placed = cell.tasksOf(job.id());
        Optional<TaskRow> outdated = placed.stream()
                .filter(task -> task.generation() < job.generation())
                .findFirst();
        List<Wake> wakes = new ArrayList<>();
        left.stream().filter(each -> each.key().equals(job.key())).forEach(each -> wakes.addAll(cell.wakes(each)));
        if (outdated.isPresent() || !wakes.isEmpty()) {
            wakes.add(new Wake.On(job.key(), Happening.STARTED));
            wakes.add(new Wake.On(job.key(), Happening.ENDED));
        }
        if (outdated.isPresent() && runsWhole(job, placed)) {
            cell.replace(outdated.get());
        }
        return wakes;
    }

    private static boolean runsWhole(JobWork job, List<TaskRow> placed) {
        long running = placed.stream()
                .filter(task -> task.state() == TaskState.RUNNING)
                .count();
        return running == job.job().tasks();
    }
}
