package dev.cella.agent.reconciler;

import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.OptionalInt;

/** A step of an attempt, for the cell. The time is the agent's monotonic one. */
public record Report(Assignment assignment, TaskState state, OptionalInt exitCode, TaskReason reason, long atMillis) {
    /** The reason says how it stands with its check, if its runner says it. */
    static Report running(Assignment assignment, TaskReason check, long atMillis) {
        return new Report(assignment, TaskState.RUNNING, OptionalInt.empty(), check, atMillis);
    }
}
