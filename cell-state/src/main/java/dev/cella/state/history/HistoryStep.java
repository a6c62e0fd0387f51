package dev.cella.state.history;

import dev.cella.transactions.model.TaskReason;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One step in the life of a task.
 *
 * @param kind what happened
 * @param task {@code job/group/index}, as it was called then; {@code job} for a step of the whole job
 * @param ordinal for PLACED: the place of the claim in its transaction; for STOPPING after an eviction: one more than the place
 *     of the claim that took over, 0 if none did
 * @param machine the task's machine; for CONFLICTED the machine that the claim named, if it named one
 * @param why for CONFLICTED or REFUSED: the reason
 * @param scheduler the scheduler of the transaction, if a transaction did it
 */
public record HistoryStep(
        long atMillis,
        long version,
        Kind kind,
        String task,
        int ordinal,
        Optional<String> machine,
        TaskReason reason,
        Optional<String> why,
        OptionalInt exitCode,
        Optional<String> scheduler,
        Optional<String> transaction) {
    /** The kinds of steps: the states of an attempt, and the results of claims that were not accepted. */
    public enum Kind {
        SUBMITTED,
        UPDATED,
        SCALED,
        STOPPED,
        PENDING,
        PLACED,
        RUNNING,
        STOPPING,
        FINISHED,
        FAILED,
        KILLED,
        PREEMPTED,
        LOST,
        CONFLICTED,
        REFUSED
    }
}
