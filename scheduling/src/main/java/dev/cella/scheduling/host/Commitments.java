package dev.cella.scheduling.host;

import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a scheduler has in flight in one cell when a plan begins. The plan must not ask for it again. The amounts in flight are
 * on the {@link Draft}, not here.
 *
 * <p>Made by the host of a scheduler; belongs to the thread that plans.
 *
 * @param tasks claimed by transactions in flight; a plan adds its own claims while it is under way
 * @param ending tasks that transactions in flight stop or evict
 * @param holding jobs for which transactions in flight ask for holds
 * @param pools what claims in flight add to the use of pools
 * @param base takes everything in flight on a draft that was cleared
 */
public record Commitments(
        TaskSet tasks, Set<TaskId> ending, Set<JobId> holding, PoolDraft pools, Consumer<Draft> base) {
    /** Nothing is in flight. */
    public static Commitments none() {
        return of(new TaskSet());
    }

    /** Only claims for these tasks are in flight; their amounts are on the draft. */
    public static Commitments of(TaskSet tasks) {
        return new Commitments(tasks, new HashSet<>(), new HashSet<>(), new PoolDraft(), draft -> {});
    }

    public boolean isEnding(TaskId task) {
        return ending.contains(task);
    }
}
