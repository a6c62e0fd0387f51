package dev.cella.transactions.model;

import java.util.Optional;

/**
 * N tasks of one shape, as far as decisions read them. At most {@code runningMax} of them are on machines at once. If more
 * than {@code failuresMax} have failed for good, the job ends. 0 means no bound. A group that was scaled to nothing, or that
 * an update has dropped, has 0 tasks.
 */
public record GroupHeader(
        String name,
        int count,
        Amounts shape,
        Restart restart,
        int runningMax,
        int failuresMax,
        OnLost onLost,
        Optional<Gang> gang) {
    public GroupHeader {
        Labels.checkName("group name", name);
        if (count < 0 || count > JobHeader.TASKS_MAX) {
            throw new IllegalArgumentException(
                    "group " + name + " has 0 to " + JobHeader.TASKS_MAX + " tasks, not " + count);
        }
        if (shape.isNone()) {
            throw new IllegalArgumentException("group " + name + " asks for nothing");
        }
        if (runningMax < 0 || failuresMax < 0) {
            throw new IllegalArgumentException("group " + name + ": runningMax and failuresMax are not negative");
        }
        if (gang.isPresent() && runningMax > 0 && gang.get().min() > runningMax) {
            throw new IllegalArgumentException("group " + name + " can never have "
                    + gang.get().min() + " tasks of its gang placed at once, only " + runningMax);
        }
    }

    /** A group without bounds, whose tasks are independent and are replaced when they are lost. */
    public GroupHeader(String name, int count, Amounts shape, Restart restart) {
        this(name, count, shape, restart, 0, 0, OnLost.REPLACE, Optional.empty());
    }

    /** The same group with another number of tasks. */
    public GroupHeader withCount(int next) {
        return new GroupHeader(name, next, shape, restart, runningMax, failuresMax, onLost, gang);
    }

    /** Returns whether it may have that many tasks: its gang must fit. */
    public boolean mayHave(int tasks) {
        return tasks >= 0 && (tasks == 0 || gang.isEmpty() || gang.get().min() <= tasks);
    }

    /** Returns whether the short constructor could have made it. */
    public boolean isPlain() {
        return runningMax == 0 && failuresMax == 0 && onLost == OnLost.REPLACE && gang.isEmpty();
    }
}
