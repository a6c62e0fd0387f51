package dev.cella.agent;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses which tasks of one machine's queue to start now: from the head on, as long as they fit beside what the machine holds
 * and what it is starting. The cell decides each start, so a choice on an old view can be wrong but never harmful.
 *
 * <p>The queue is strict: a head that waits for room stops those behind it, or it would wait for ever. A task that the cell
 * refuses for another reason, such as its pool's quota, is passed over for a while. Owned by the agent's loop.
 */
final class MachineQueue {
    private static final long RETRY_MILLIS = 500;
    private static final long RETRY_MILLIS_MAX = 30_000;

    /** A task whose start was asked for, and what it takes until the cell has answered. */
    private record Starting(QueueRow row, Amounts asked) {}

    /** A refused task: until when it is passed over, and how often it was refused. */
    private record Refused(QueueRow row, long untilMillis, int times) {}

    /** The tasks whose start was asked for, until the view no longer shows them waiting. */
    private final Map<TaskId, Starting> starting = new LinkedHashMap<>();

    private final Map<TaskId, Refused> refused = new HashMap<>();

    /** The tasks to start now. They count as being started from then on. */
    List<QueueRow> due(CellView view, int slot, long nowMillis) {
        forgetOthers(view);
        if (!view.isReady(slot)) {
            return List.of();
        }
        long[] free = free(view, slot);
        List<QueueRow> due = new ArrayList<>();
        for (QueueRow row : view.queueOn(slot)) {
            TaskId task = row.task();
            if (starting.containsKey(task) || isPassedOver(task, nowMillis)) {
                continue;
            }
            Amounts asked = shape(row.group());
            if (!take(free, asked)) {
                break;
            }
            starting.put(task, new Starting(row, asked));
            due.add(row);
        }
        return due;
    }

    /** Forgets the tasks that no longer wait here, without reading the queue. One that was queued again has another row. */
    private void forgetOthers(CellView view) {
        starting.values().removeIf(each -> !view.isQueued(each.row()));
        refused.values().removeIf(each -> !view.isQueued(each.row()));
    }

    private long[] free(CellView view, int slot) {
        long[] free = new long[view.dimensions().size()];
        for (int dimension = 0; dimension < free.length; dimension++) {
            free[dimension] = view.free(slot, dimension);
        }
        starting.values().forEach(each -> take(free, each.asked()));
        return free;
    }

    private static boolean take(long[] free, Amounts asked) {
        for (int dimension = 0; dimension < asked.size(); dimension++) {
            if (asked.at(dimension) > free[dimension]) {
                return false;
            }
        }
        for (int dimension = 0; dimension < asked.size(); dimension++) {
            free[dimension] -= asked.at(dimension);
        }
        return true;
    }

    private static Amounts shape(GroupRow group) {
        return group.header().shape();
    }

    private boolean isPassedOver(TaskId task, long nowMillis) {
        Refused before = refused.get(task);
        return before != null && before.untilMillis() > nowMillis;
    }

    /**
     * The cell refused the start, or nobody answered. Returns when to look again, if a change of the machine need not come
     * before.
     */
    Optional<Long> refused(TaskId task, Optional<Reason> reason, long nowMillis) {
        Starting asked = starting.remove(task);
        if (asked == null || reason.filter(MachineQueue::isOfTheMachine).isPresent()) {
            return Optional.empty();
        }
        if (reason.filter(MachineQueue::isOfTheTask).isPresent()) {
            starting.put(task, new Starting(asked.row(), Amounts.NONE));
            return Optional.empty();
        }
        int times = Optional.ofNullable(refused.get(task)).map(Refused::times).orElse(0) + 1;
        long delay = Math.min(RETRY_MILLIS_MAX, RETRY_MILLIS << Math.min(times - 1, 10));
        refused.put(task, new Refused(asked.row(), nowMillis + delay, times));
        return Optional.of(nowMillis + delay);
    }

    /** The view is about to show what stands in the way, and its end later. */
    private static boolean isOfTheMachine(Reason reason) {
        return switch (reason) {
            case DOES_NOT_FIT, HELD, MACHINE_NOT_READY, MACHINE_CHANGED, UNKNOWN_MACHINE -> true;
            default -> false;
        };
    }

    /** The view is about to show that the task no longer waits here. Until then it is not asked for again. */
    private static boolean isOfTheTask(Reason reason) {
        return switch (reason) {
            case TASK_NOT_PENDING, TASK_CHANGED, NOT_QUEUED, UNKNOWN_TASK, UNKNOWN_JOB -> true;
            default -> false;
        };
    }

    /** The machine is registered again, so nothing of the former queue is left. */
    void clear() {
        starting.clear();
        refused.clear();
    }
}
