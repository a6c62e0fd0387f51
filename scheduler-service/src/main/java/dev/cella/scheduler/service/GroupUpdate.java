package dev.cella.scheduler.service;

import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.placement.UpdatePolicy;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The progress of one group's update or of its moves, and the tasks that may be replaced now.
 *
 * <p>A task is <em>old</em> if it runs an older generation's specification, or has to move. It is <em>healthy</em> if it
 * has passed its check with the newest one or has run it for long enough, or if it is old and runs. Otherwise it is <em>between</em>: pending, on its way
 * to or off a machine, or just started. A task that failed for good before is none of these: no update brings it back. At most
 * {@code maxParallel} tasks are between at once, and at least {@code minHealthy} are healthy, or all that have not failed for
 * good, as far as the update decides that: a lost machine may take more, and then the update waits.
 */
final class GroupUpdate {
    private final GroupRow group;
    private final UpdatePolicy policy;
    private final int base;
    private final List<TaskRow> replaceable = new ArrayList<>();
    private int old;
    private int oldRunning;
    private int healthy;
    private int between;
    private int over;
    private boolean hasLostExtra;

    /**
     * Looks at every task of the group.
     *
     * @param policy how many may be replaced at once
     * @param base how many tasks it has outside of an update
     * @param mayEnd the tasks that nobody has told to end
     * @param isOld which tasks the update replaces
     * @param isHealthy which running tasks have passed their check, or have run for long enough
     * @param isOver which tasks are not replaced, because they failed for good before
     */
    GroupUpdate(
            PlanningView cell,
            GroupRow group,
            UpdatePolicy policy,
            int base,
            Set<TaskId> mayEnd,
            Predicate<TaskRow> isOld,
            Predicate<TaskRow> isHealthy,
            Predicate<TaskRow> isOver) {
        this.group = group;
        this.policy = policy;
        this.base = base;
        for (int index = 0; index < group.header().count(); index++) {
            count(cell.view().task(group, index), mayEnd, isOld, isHealthy, isOver);
        }
        replaceable.sort(Comparator.comparing((TaskRow task) -> task.state() == TaskState.RUNNING)
                .thenComparing(task -> task.id().index()));
    }

    private void count(
            TaskRow task,
            Set<TaskId> mayEnd,
            Predicate<TaskRow> isOld,
            Predicate<TaskRow> isHealthy,
            Predicate<TaskRow> isOver) {
        boolean stays = mayEnd.contains(task.id());
        boolean runs = task.state() == TaskState.RUNNING;
        if (stays && isOld.test(task)) {
            old++;
            oldRunning += runs ? 1 : 0;
            replaceable.add(task);
        } else if (stays && runs && isHealthy.test(task)) {
            healthy++;
        } else if (isOver.test(task)) {
            boolean isExtra = task.id().index() >= base;
            over += isExtra ? 0 : 1;
            hasLostExtra |= isExtra;
        } else {
            between++;
        }
    }

    GroupRow group() {
        return group;
    }

    UpdatePolicy policy() {
        return policy;
    }

    /** How many tasks are healthy with the newest generation's specification. */
    int healthy() {
        return healthy;
    }

    int old() {
        return old;
    }

    /** Returns whether every task is a healthy one of the newest generation. */
    boolean isDone() {
        return old == 0 && between == 0;
    }

    /** Returns whether an additional task will never run, because it failed for good. */
    boolean hasLostExtra() {
        return hasLostExtra;
    }

    /** Returns whether no more tasks may be replaced before somebody promotes the update. */
    boolean isCanary() {
        return policy.canary() > 0 && old > 0 && healthy + between >= policy.canary();
    }

    /** Returns whether the canaries are healthy, and the update waits for a person. */
    boolean awaitsPromotion() {
        return isCanary() && between == 0;
    }

    /** The tasks to replace now. */
    List<TaskRow> next(boolean inPlace) {
        int room = policy.maxParallel() - between;
        if (policy.canary() > 0) {
            room = Math.min(room, policy.canary() - healthy - between);
        }
        int spare = healthy + oldRunning - minHealthy(inPlace);
        List<TaskRow> next = new ArrayList<>();
        for (TaskRow task : replaceable) {
            boolean runs = task.state() == TaskState.RUNNING;
            if (next.size() < room && (!runs || spare > 0)) {
                next.add(task);
                spare -= runs ? 1 : 0;
            }
        }
        return next;
    }

    /** Without room for additional tasks, one has to end before the next one starts. */
    private int minHealthy(boolean inPlace) {
        int most = Math.max(0, base - over);
        int asked = Math.min(policy.minHealthyOf(base), most);
        return inPlace ? Math.min(asked, Math.max(0, most - 1)) : asked;
    }

    /** How many additional tasks it needs before one may be replaced; 0 if it needs none. */
    int lacks(boolean inPlace) {
        boolean stuck = old > 0 && between == 0 && !isCanary() && next(inPlace).isEmpty();
        return stuck ? Math.min(policy.maxParallel(), old) : 0;
    }
}
