package dev.cella.agent.runner;

import dev.cella.transactions.model.TaskReason;

/** An attempt cannot be started, for a reason that its submitter can fix. */
final class NotStartedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final TaskReason reason;

    NotStartedException(TaskReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    TaskReason reason() {
        return reason;
    }
}
