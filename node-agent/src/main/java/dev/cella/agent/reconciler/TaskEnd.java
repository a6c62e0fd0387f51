package dev.cella.agent.reconciler;

import dev.cella.transactions.model.TaskReason;
import java.util.OptionalInt;

/**
 * How an attempt ended, as its runner saw it.
 *
 * @param exitCode empty if it never ran; 128 and more for a signal
 * @param signalled whether it was still running when it was told to end
 */
public record TaskEnd(OptionalInt exitCode, TaskReason reason, boolean signalled) {
    public static TaskEnd exited(int exitCode) {
        return new TaskEnd(OptionalInt.of(exitCode), TaskReason.NONE, false);
    }

    public static TaskEnd stopped(int exitCode) {
        return new TaskEnd(OptionalInt.of(exitCode), TaskReason.NONE, true);
    }

    /** It could not be started, for this reason. */
    public static TaskEnd neverStarted(TaskReason reason) {
        return new TaskEnd(OptionalInt.empty(), reason, false);
    }

    /** Its end is unknown. */
    public static TaskEnd unknown() {
        return new TaskEnd(OptionalInt.empty(), TaskReason.AGENT_LOST, false);
    }

    /** It was ended because it used more than it asked for. */
    public static TaskEnd limited(int exitCode, TaskReason reason) {
        return new TaskEnd(OptionalInt.of(exitCode), reason, false);
    }

    /** It never ran and is given back: its machine has no room for it now. */
    public static TaskEnd returned() {
        return new TaskEnd(OptionalInt.empty(), TaskReason.DOES_NOT_FIT, true);
    }

    boolean isReturned() {
        return signalled && reason == TaskReason.DOES_NOT_FIT;
    }

    public boolean isUnknown() {
        return reason == TaskReason.AGENT_LOST;
    }

    public boolean isSuccess() {
        return reason == TaskReason.NONE && exitCode.isPresent() && exitCode.getAsInt() == 0;
    }
}
