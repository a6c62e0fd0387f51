package dev.cella.chaos.processes;

import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.http.CellUnreachable;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The calls of one client of the cell, one after another on a thread of their own. Any thread may ask for one. */
final class ClientCalls {
    private static final int TRIES_MAX = 200;

    private final AtomicInteger waiting = new AtomicInteger();
    private final ExecutorService caller;

    ClientCalls(String client) {
        caller = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, client);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Makes the calls after those that wait. */
    void soon(Runnable calls) {
        waiting.incrementAndGet();
        caller.execute(() -> {
            try {
                calls.run();
            } finally {
                waiting.decrementAndGet();
            }
        });
    }

    /** Returns whether all calls are answered. */
    boolean isIdle() {
        return waiting.get() == 0;
    }

    /** The last calls. */
    void end(Runnable calls) {
        soon(calls);
        caller.shutdown();
    }

    /** Returns whether the cell answered. Without an answer there may be no effect. */
    static boolean attempt(Runnable calls) {
        try {
            calls.run();
            return true;
        } catch (CellUnreachable away) {
            return false;
        } catch (Problem problem) {
            return problem.type() != ProblemType.NO_LEADER && problem.type() != ProblemType.UNAVAILABLE;
        }
    }

    /** Repeats what a run cannot end without; a refusal ends it. */
    static void untilAnswered(Runnable call) {
        for (int tries = 0; !attempt(call) && tries < TRIES_MAX; tries++) {
            ProcessCell.pause(100);
        }
    }

    /**
     * Repeats a call until the cell has done it, also after refusals.
     *
     * @return the last refusal, if the cell never did it
     */
    static Optional<String> untilDone(Runnable call) {
        String refusal = "";
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            try {
                call.run();
                return Optional.empty();
            } catch (CellUnreachable | Problem refused) {
                refusal = String.valueOf(refused.getMessage());
                ProcessCell.pause(200);
            }
        }
        return Optional.of(refusal);
    }
}
