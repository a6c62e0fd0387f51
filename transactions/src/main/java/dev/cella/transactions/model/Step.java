package dev.cella.transactions.model;

/**
 * What a scheduler does to a task of its own job besides placing it. {@code attempt} is the attempt that it has seen.
 */
public record Step(Kind kind, TaskId task, int attempt) {
    /** The kinds of steps. */
    public enum Kind {
        /** A new attempt of a task whose last attempt has ended: PENDING again. */
        AGAIN,
        /** Ends the task for good: a placed task is told to stop, a pending one is killed. */
        STOP,
        /** A placed task is told to stop because a newer generation replaces it. A new attempt may follow. */
        REPLACE,
        /** A spare task becomes a task like any other, where it is, if it fits. Used from feature level 7 on. */
        UPGRADE,
        /**
         * Adds a copy of a placed or running task: a second attempt, which is pending and runs beside it. Used from feature level
         * 9 on.
         */
        COPY
    }

    public Step {
        if (attempt < 0) {
            throw new IllegalArgumentException("an attempt is not negative: " + attempt);
        }
    }
}
