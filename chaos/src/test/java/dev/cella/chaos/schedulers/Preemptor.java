package dev.cella.chaos.schedulers;

import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Work;
import dev.cella.transactions.cell.tables.TaskRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Places what finds room, and where none is left evicts the fewest tasks that it may, the youngest first. */
public final class Preemptor implements Scheduler<String> {
    private final Placing placing = new Placing(Choice.FIRST_FIT);

    @Override
    public String start() {
        return "";
    }

    @Override
    public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
        placing.place(cells, work, context.seed());
        List<Unplaced> left = new ArrayList<>();
        for (JobWork job : work.jobs()) {
            PlanningView cell = job.in(cells);
            for (PendingGroup group : cell.pendingGroups(job.id())) {
                preemptFor(group, cell);
                if (group.hasNext()) {
                    left.add(group.explain());
                }
            }
        }
        return Plan.of(left, List.of(), context.memory());
    }

    private static void preemptFor(PendingGroup group, PlanningView cell) {
        for (Optional<List<TaskRow>> victims = victims(group, cell);
                group.hasNext() && victims.isPresent();
                victims = victims(group, cell)) {
            int machine = victims.get().get(0).machine().orElseThrow();
            group.claimEvicting(machine, victims.get());
        }
    }

    private static Optional<List<TaskRow>> victims(PendingGroup group, PlanningView cell) {
        List<TaskRow> fewest = List.of();
        for (int machine = 0; machine < cell.machines(); machine++) {
            List<TaskRow> victims = cell.isReady(machine) ? victimsOn(machine, group, cell) : List.of();
            if (!victims.isEmpty() && (fewest.isEmpty() || victims.size() < fewest.size())) {
                fewest = victims;
            }
        }
        return fewest.isEmpty() ? Optional.empty() : Optional.of(fewest);
    }

    /** The youngest that let the task in together, or none. */
    private static List<TaskRow> victimsOn(int machine, PendingGroup group, PlanningView cell) {
        List<TaskRow> young = new ArrayList<>(cell.tasksOn(machine));
        young.removeIf(task -> !group.mayEvict(task));
        young.sort(Comparator.comparing(TaskRow::changedVersion).reversed());
        for (int count = 1; count <= young.size(); count++) {
            if (group.fitsEvicting(machine, young.subList(0, count))) {
                return List.copyOf(young.subList(0, count));
            }
        }
        return List.of();
    }
}
