package dev.cella.scheduling.loop;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The gangs that restart as a whole ({@code restart: all}) after one of their tasks has ended and gets another attempt. The
 * other tasks on machines are replaced. Once no task of the gang is on a machine, all get their next attempt together. So the
 * planner sees the whole gang pending, and starts it as the first time. Finished tasks stay finished.
 *
 * <p>If failures for good leave fewer than {@code min} tasks, the gang can never be complete again. Then the rest
 * of it is stopped, so that its job ends.
 *
 * <p>Owned by {@link Restarts}.
 */
final class GangRestarts {
    /**
     * The next steps for a gang's tasks: these steps at once, or these tasks again after the longest of their delays.
     */
    record Next(List<Step> steps, List<TaskRow> again) {
        static final Next WAIT = new Next(List.of(), List.of());
    }

    private record GangId(JobId job, int group) {}

    private final Set<GangId> broken = new LinkedHashSet<>();
    private final Set<GangId> touched = new LinkedHashSet<>();

    /** The row of a task of such a gang changed. */
    void look(TaskRow task, GroupRow group, boolean getsAnotherAttempt) {
        GangId gang = new GangId(task.id().job(), task.id().group());
        if (getsAnotherAttempt || isBeyondRepair(group)) {
            broken.add(gang);
        }
        if (broken.contains(gang)) {
            touched.add(gang);
        }
    }

    /** Returns whether fewer of its tasks are left than have to run at once. */
    private static boolean isBeyondRepair(GroupRow group) {
        int min = group.header().gang().map(Gang::min).orElse(0);
        return group.header().count() - group.failedForGood() < min;
    }

    /** The broken gangs with changed tasks since the last call. */
    List<GroupRow> take(CellView view) {
        List<GroupRow> changed = new ArrayList<>();
        for (GangId gang : touched) {
            Optional<JobRow> job = view.job(gang.job);
            job.filter(row -> gang.group < row.groups().size())
                    .ifPresentOrElse(row -> changed.add(row.group(gang.group)), () -> broken.remove(gang));
        }
        touched.clear();
        return changed;
    }

    /** The next steps for a broken gang. */
    Next next(GroupRow group, CellView view) {
        if (isBeyondRepair(group)) {
            return end(group, view);
        }
        List<Integer> alive = indexes(group, view, TaskState::isOnMachine);
        return alive.isEmpty() ? again(group, view) : new Next(steps(Step.Kind.REPLACE, alive, group, view), List.of());
    }

    private Next again(GroupRow group, CellView view) {
        List<TaskRow> again = toTryAgain(group, view);
        if (again.stream().anyMatch(task -> view.waitsForMachine(task.id()))) {
            return Next.WAIT;
        }
        broken.remove(new GangId(group.job().id(), group.place()));
        return new Next(List.of(), again);
    }

    private static List<TaskRow> toTryAgain(GroupRow group, CellView view) {
        return indexes(group, view, TaskState::isEnded).stream()
                .map(index -> view.task(group, index))
                .filter(task ->
                        Restarts.getsAnotherAttempt(task, group.job().header().type()))
                .toList();
    }

    /** Stops everything that can still run. An ended task that could run again must first become pending for that. */
    private static Next end(GroupRow group, CellView view) {
        List<Integer> alive = indexes(group, view, state -> !state.isEnded());
        if (!alive.isEmpty()) {
            return new Next(steps(Step.Kind.STOP, alive, group, view), List.of());
        }
        List<Step> again = toTryAgain(group, view).stream()
                .map(task -> new Step(Step.Kind.AGAIN, task.id(), task.attempt()))
                .toList();
        return new Next(again, List.of());
    }

    private static List<Integer> indexes(GroupRow group, CellView view, Predicate<TaskState> which) {
        return IntStream.range(0, group.header().count())
                .filter(index -> which.test(view.taskState(group, index)))
                .boxed()
                .toList();
    }

    /** That step for each of the tasks that is not told to stop already. */
    private static List<Step> steps(Step.Kind kind, List<Integer> indexes, GroupRow group, CellView view) {
        return indexes.stream()
                .filter(index -> view.taskState(group, index) != TaskState.STOPPING)
                .map(index -> view.task(group, index))
                .map(task -> new Step(kind, task.id(), task.attempt()))
                .toList();
    }

    /** Drops a job that has ended or is no longer ours. */
    void forget(JobId job) {
        broken.removeIf(gang -> gang.job.equals(job));
        touched.removeIf(gang -> gang.job.equals(job));
    }
}
