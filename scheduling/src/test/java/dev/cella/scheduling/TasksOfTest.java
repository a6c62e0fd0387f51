package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The tasks of a job that are on machines, in a job whose tasks are placed, run, end, and leave a group that shrinks. */
class TasksOfTest {
    private static final int SEEDS = 10;
    private static final int STEPS = 100;
    private static final int TASKS = 12;

    private int found;

    @Test
    void tasksOf_areThoseThatALookAtEachTaskFinds() {
        for (int seed = 1; seed <= SEEDS; seed++) {
            play(seed);
        }
        assertThat(found).isPositive();
    }

    private void play(int seed) {
        Random random = new Random(seed);
        PlannedCell cell = new PlannedCell();
        cell.machines(3, 3_000);
        JobRow job = cell.job(TASKS, 1_000);
        for (int step = 0; step < STEPS && !job.isEnded(); step++) {
            switch (random.nextInt(6)) {
                case 0 -> cell.apply(new Command.ScaleGroup(job.id(), 0, 1 + random.nextInt(TASKS)));
                case 1, 2 -> cell.commit(cell.plan(this::compareThenPlace, job, step));
                case 3, 4 -> report(cell, job, random.nextInt(TASKS), TaskState.RUNNING);
                default -> report(cell, job, random.nextInt(TASKS), TaskState.FINISHED);
            }
        }
    }

    private List<Unplaced> compareThenPlace(JobWork job, PlanningView cell, SplittableRandom random) {
        assertThat(cell.tasksOf(job.id())).isEqualTo(lookAtEach(cell, job.id()));
        found += cell.tasksOf(job.id()).size();
        List<Unplaced> unplaced = new ArrayList<>();
        for (PendingGroup group : cell.pendingGroups(job.id())) {
            group.place(Choice.FIRST_FIT, random);
            if (group.left() > 0) {
                unplaced.add(group.explain());
            }
        }
        return unplaced;
    }

    private static List<TaskRow> lookAtEach(PlanningView cell, JobId job) {
        List<TaskRow> tasks = new ArrayList<>();
        for (GroupRow group : cell.view().job(job).orElseThrow().groups()) {
            for (int index = 0; index < group.header().count(); index++) {
                TaskRow task = cell.view().task(group, index);
                if (task.state() == TaskState.PLACED || task.state() == TaskState.RUNNING) {
                    tasks.add(task);
                }
            }
        }
        return tasks;
    }

    private static void report(PlannedCell cell, JobRow job, int index, TaskState state) {
        TaskRow task = cell.view().task(job.group(0), index);
        if (task.attempt() == 0) {
            return;
        }
        cell.apply(new Command.ReportTask(
                task.id(),
                task.attempt(),
                Optional.empty(),
                state,
                OptionalInt.empty(),
                TaskReason.NONE,
                OptionalLong.empty(),
                OptionalLong.empty()));
    }
}
