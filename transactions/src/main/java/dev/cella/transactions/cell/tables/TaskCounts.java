package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.TaskState;
import java.util.Arrays;

/** How many tasks are in each state. Live: it changes on the thread that owns the tables. */
public final class TaskCounts {
    private final int[] byCode = new int[TaskState.values().length];

    public int of(TaskState state) {
        return byCode[state.code()];
    }

    /** The counts as they are now. */
    public TaskCounts copy() {
        TaskCounts copy = new TaskCounts();
        copy.addAll(this, 1);
        return copy;
    }

    /** Tasks on machines, which hold their amounts. */
    public int onMachines() {
        return of(TaskState.PLACED) + of(TaskState.RUNNING) + of(TaskState.STOPPING);
    }

    public void add(TaskState state, int more) {
        byCode[state.code()] += more;
    }

    void addAll(TaskCounts others, int sign) {
        for (int code = 0; code < byCode.length; code++) {
            byCode[code] += sign * others.byCode[code];
        }
    }

    void clear() {
        Arrays.fill(byCode, 0);
    }

    void move(TaskState from, TaskState to, int count) {
        byCode[from.code()] -= count;
        byCode[to.code()] += count;
    }
}
