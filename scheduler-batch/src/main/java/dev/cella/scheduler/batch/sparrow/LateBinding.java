package dev.cella.scheduler.batch.sparrow;

import java.util.OptionalInt;

/**
 * The tasks of one job that wait for machines. A reservation in a machine's queue is for the job, not for a task. A machine
 * that reaches a reservation asks for a task: the first machines that ask get the tasks, and the others are told that there
 * is none.
 */
public final class LateBinding {
    private final int tasks;
    private int given;

    public LateBinding(int tasks) {
        this.tasks = tasks;
    }

    /** A machine with room asks. The next task, or none if all were given. */
    public OptionalInt ask() {
        return given < tasks ? OptionalInt.of(given++) : OptionalInt.empty();
    }
}
