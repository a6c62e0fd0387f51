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
    /** The end of the name of a group of copies. No name that people choose contains the tilde. */
    private static final String COPIES = "~copies";

    public GroupHeader {
        Labels.checkName("group name", nameOfCopied(name));
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

    /**
     * The group of the copies of this group's tasks. A copy has one attempt, and counts for nothing but itself, so the bounds of
     * this group do not apply to it.
     */
    public GroupHeader ofCopies(int copies) {
        return new GroupHeader(name + COPIES, copies, shape, Restart.NEVER);
    }

    /** Returns whether its tasks are copies of the tasks of another group. The cell makes such a group, no job brings one. */
    public boolean isOfCopies() {
        return name.endsWith(COPIES);
    }

    /** The name of the group that its tasks copy; its own name if they copy none. A specification describes that group. */
    public String nameOfCopied() {
        return nameOfCopied(name);
    }

    /** As {@link #nameOfCopied()}, of a group of that name. */
    public static String nameOfCopied(String name) {
        return name.endsWith(COPIES) ? name.substring(0, name.length() - COPIES.length()) : name;
    }

    /** Returns whether it is a gang whose tasks run again together when one of them has to. */
    public boolean restartsAll() {
        return gang.isPresent() && gang.get().restarts() == Gang.Restarts.ALL;
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
