package dev.cella.transactions.model;

import java.util.Optional;

/**
 * N tasks of one shape, as far as decisions read them. At most {@code runningMax} of them are on machines at once, and
 * more than {@code failuresMax} that failed for good end the job; 0 is no bound.
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
        if (count < 1 || count > JobHeader.TASKS_MAX) {
            throw new IllegalArgumentException(
                    "group " + name + " has 1 to " + JobHeader.TASKS_MAX + " tasks, not " + count);
        }
        if (shape.isNone()) {
            throw new IllegalArgumentException("group " + name + " asks for nothing");
        }
        if (runningMax < 0 || failuresMax < 0) {
            throw new IllegalArgumentException("group " + name + ": runningMax and failuresMax are not negative");
        }
        checkGang(name, count, runningMax, gang);
    }

    private static void checkGang(String name, int count, int runningMax, Optional<Gang> gang) {
        int most = runningMax == 0 ? count : Math.min(count, runningMax);
        if (gang.isPresent() && gang.get().min() > most) {
            throw new IllegalArgumentException("group " + name + " can never have "
                    + gang.get().min() + " tasks of its gang placed at once, only " + most);
        }
    }

    /** A group without bounds, whose tasks stand alone and are replaced when they are lost. */
    public GroupHeader(String name, int count, Amounts shape, Restart restart) {
        this(name, count, shape, restart, 0, 0, OnLost.REPLACE, Optional.empty());
    }

    /** Whether it says no more than the short constructor does. */
    public boolean isPlain() {
        return runningMax == 0 && failuresMax == 0 && onLost == OnLost.REPLACE && gang.isEmpty();
    }
}
