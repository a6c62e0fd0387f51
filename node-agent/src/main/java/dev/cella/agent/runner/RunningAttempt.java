package dev.cella.agent.runner;

import dev.cella.agent.guard.TaskProcesses;
import dev.cella.agent.logs.AttemptOutput;
import dev.cella.agent.logs.Stream;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.agent.runner.TaskRunner.Listener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An attempt whose first process was started. Owned by its runner's thread. */
final class RunningAttempt {
    /** How long a pipe may stay open that a process which escaped its session still holds. */
    private static final long PIPE_PATIENCE_MILLIS = 1_000;

    private final Assignment assignment;
    private final Process process;
    private final TaskProcesses processes;
    private final AttemptOutput output;
    private final Listener listener;
    private final CompletableFuture<Void> pumped;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private boolean toldToEnd;

    RunningAttempt(
            Assignment assignment, Process process, TaskProcesses processes, AttemptOutput output, Listener listener) {
        this.assignment = assignment;
        this.process = process;
        this.processes = processes;
        this.output = output;
        this.listener = listener;
        this.pumped = CompletableFuture.allOf(
                OutputPump.start(assignment, process.getInputStream(), output, Stream.STDOUT),
                OutputPump.start(assignment, process.getErrorStream(), output, Stream.STDERR));
    }

    Assignment assignment() {
        return assignment;
    }

    TaskProcesses processes() {
        return processes;
    }

    AttemptOutput output() {
        return output;
    }

    /** Done when its first process has exited. */
    CompletableFuture<Process> exit() {
        return process.onExit();
    }

    /** Done when all that it printed is kept. */
    CompletableFuture<Void> pumped() {
        return pumped.completeOnTimeout(null, PIPE_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Done when its end was told. */
    CompletableFuture<Void> gone() {
        return gone;
    }

    /** Answers whether it still ran: what ended just before did so by itself. */
    boolean tellToEnd() {
        boolean runs = process.isAlive();
        toldToEnd |= runs;
        return runs;
    }

    void tellEnd() {
        int exitCode = process.exitValue();
        listener.ended(assignment.placement(), toldToEnd ? TaskEnd.stopped(exitCode) : TaskEnd.exited(exitCode));
        gone.complete(null);
    }
}
