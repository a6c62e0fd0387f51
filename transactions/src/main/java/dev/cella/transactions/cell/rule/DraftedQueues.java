package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The queue rows that the current transaction has been granted so far. Scratch of the commit rule. */
final class DraftedQueues {
    private final Map<TaskId, List<Integer>> slots = new HashMap<>();
    private final Map<Integer, Integer> rowsBySlot = new HashMap<>();
    private final Map<JobRow, Integer> rowsByJob = new HashMap<>();

    void clear() {
        if (!slots.isEmpty()) {
            slots.clear();
            rowsBySlot.clear();
            rowsByJob.clear();
        }
    }

    /** Notes that a claim wants to queue the task, whatever the outcome of the claim. */
    void name(GroupRow group, int index) {
        slots.computeIfAbsent(task(group, index), task -> new ArrayList<>(2));
    }

    /** Returns whether a claim so far wants to queue the task. */
    boolean isNamed(GroupRow group, int index) {
        return !slots.isEmpty() && slots.containsKey(task(group, index));
    }

    void add(GroupRow group, int index, int slot) {
        slots.computeIfAbsent(task(group, index), task -> new ArrayList<>(2)).add(slot);
        rowsBySlot.merge(slot, 1, Integer::sum);
        rowsByJob.merge(group.job(), 1, Integer::sum);
    }

    boolean has(GroupRow group, int index, int slot) {
        return slots.getOrDefault(task(group, index), List.of()).contains(slot);
    }

    int rowsOf(GroupRow group, int index) {
        return slots.getOrDefault(task(group, index), List.of()).size();
    }

    int rowsOf(JobRow job) {
        return rowsByJob.getOrDefault(job, 0);
    }

    int rowsOn(int slot) {
        return rowsBySlot.getOrDefault(slot, 0);
    }

    private static TaskId task(GroupRow group, int index) {
        return new TaskId(group.job().id(), group.place(), index);
    }
}
