package dev.cella.agent.reconciler;

import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;

/**
 * An attempt as the cell shows it on this machine.
 *
 * @param waits it holds its amounts, and others must end before it may start
 */
public record Shown(Assignment assignment, TaskState state, TaskReason reason, boolean waits) {
    public Shown {
        if (!state.isOnMachine()) {
            throw new IllegalArgumentException("a task that is " + state + " is on no machine");
        }
    }
}
