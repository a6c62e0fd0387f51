package dev.cella.transactions.model;

import java.util.OptionalInt;

/**
 * Sets the number of tasks in a group of a scheduler's own job, if the job still has the generation that the scheduler has
 * seen. New tasks are pending; tasks above the number are told to stop.
 *
 * @param expected the number of tasks that the scheduler has seen. If the group has another number by now, or a person has
 *     asked for the same number after the transaction's basis, the scale is refused. Without it, the scale overwrites what
 *     others set in the meantime.
 */
public record Scale(JobId job, int group, int generation, int count, OptionalInt expected) {
    public Scale {
        if (group < 0 || generation < 1 || count < 0 || count > JobHeader.TASKS_MAX) {
            throw new IllegalArgumentException(
                    "group " + group + " of generation " + generation + " cannot have " + count + " tasks");
        }
        if (expected.isPresent() && (expected.getAsInt() < 0 || expected.getAsInt() > JobHeader.TASKS_MAX)) {
            throw new IllegalArgumentException("no group has " + expected.getAsInt() + " tasks");
        }
    }

    public Scale(JobId job, int group, int generation, int count) {
        this(job, group, generation, count, OptionalInt.empty());
    }

    /** Returns whether the scale is for a group of that many tasks. */
    public boolean expects(int count) {
        return expected.isEmpty() || expected.getAsInt() == count;
    }
}
