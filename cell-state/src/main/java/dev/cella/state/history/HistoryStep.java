package dev.cella.state.history;

import dev.cella.transactions.model.TaskReason;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One step in the life of a task.
 *
 * @param kind what happened
 * @param task {@code job/group/index}, as it was called then; {@code job} of a step of the whole job
 * @param ordinal the place of the claim in its transaction, of a PLACED
 * @param machine of a PLACED and a CONFLICTED, where it named one
 * @param why the reason of a refusal, of a CONFLICTED or REFUSED
 * @param scheduler of the transaction that did it, if one did
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
    /** What can happen to a task; the states of an attempt, and what became of a claim that was not accepted. */
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
