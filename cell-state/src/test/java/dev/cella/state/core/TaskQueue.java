package dev.cella.state.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** All threads of a replica as one queue: tasks wait until the test runs them. */
final class TaskQueue implements Executor {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private int taken;

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        taken++;
    }

    /** How many tasks it has been given. */
    int taken() {
        return taken;
    }

    void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    Threads threads() {
        return new Threads(this, this, this);
    }
}
