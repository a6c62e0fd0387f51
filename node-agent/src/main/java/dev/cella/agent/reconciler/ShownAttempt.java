package dev.cella.agent.reconciler;

import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.Map;
import java.util.OptionalLong;

/**
 * An attempt as the cell shows it on this machine.
 *
 * @param members its members of each set dimension
 * @param waits whether it holds its amounts but others must end before it may start
 * @param stopGraceMillis the grace that the stop of its job gave
 * @param spare whether it is spare work, which stands back for all other work of its machine
 */
public record ShownAttempt(
        Assignment assignment,
        TaskState state,
        TaskReason reason,
        boolean waits,
        Map<String, String> members,
        OptionalLong stopGraceMillis,
        boolean spare) {
    public ShownAttempt {
        members = Map.copyOf(members);
        if (!state.isOnMachine()) {
            throw new IllegalArgumentException("a task that is " + state + " is on no machine");
        }
    }

    public ShownAttempt(Assignment assignment, TaskState state, TaskReason reason, boolean waits) {
        this(assignment, state, reason, waits, Map.of(), OptionalLong.empty(), false);
    }
}
