package dev.cella.scheduler.service;

import dev.cella.scheduling.JobKey;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.TaskId;
import java.util.Map;

/**
 * What the scheduler has seen of the jobs that it updates now: since when tasks run, and when updates last made progress. An
 * instance that starts again has seen nothing, and counts from there.
 *
 * @param jobs those under way
 */
record UpdateMemory(Map<JobKey, Watched> jobs) {
    /** An attempt, and since when it was seen to run. */
    record Seen(int attempt, CellTime since) {}

    /**
     * One job.
     *
     * @param generation of which the update was watched
     * @param healthy the most tasks of it that were seen healthy
     * @param progressAt when that was, or when it began; later by the time in which its scheduler could not work
     * @param dueAt the latest time of its next turn
     * @param revertAskedAt when its revert was asked for; equal to progressAt: never
     */
    record Watched(
            int generation,
            Map<TaskId, Seen> running,
            int healthy,
            CellTime progressAt,
            CellTime dueAt,
            CellTime revertAskedAt) {
        Watched {
            running = Map.copyOf(running);
        }

        /** The same as seen by a turn. Since it was due, nobody could work: its scheduler was paused, or busy. */
        CellTime progressAt(CellTime turn) {
            return progressAt.plusMillis(Math.max(0, turn.millis() - dueAt.millis()));
        }
    }

    static final UpdateMemory NOTHING = new UpdateMemory(Map.of());

    UpdateMemory {
        jobs = Map.copyOf(jobs);
    }
}
