package dev.cella.cli.job;

import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskState;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A task that is followed from one attempt to the next. It waits by calls that each end when the task changes. A cell that is
 * away for a while is waited for, once it has answered.
 */
final class FollowedTask {
    private static final Set<String> STOPPED_FOR_GOOD = Set.of("KILLED", "COPY");

    private final HttpCell cell;
    private final GetTaskRequest request;
    private final AwayPatience patience;

    FollowedTask(HttpCell cell, GetTaskRequest request, AwayPatience patience) {
        this.cell = cell;
        this.request = request;
        this.patience = patience;
    }

    /** The newest attempt, as soon as it has started. */
    int first() throws InterruptedException {
        Task seen = cell.getTask(request);
        while (isBeforeStart(seen)) {
            seen = awaitChange(seen);
        }
        return Math.max(1, seen.getAttempt());
    }

    /** The attempt after that one, as soon as it has started; empty if the task or its job ends before. */
    OptionalInt after(int attempt) throws InterruptedException {
        Task seen = ask(request);
        while (newestStarted(seen) <= attempt) {
            if (isEnded(seen)) {
                return OptionalInt.empty();
            }
            seen = awaitChange(seen);
        }
        return OptionalInt.of(attempt + 1);
    }

    private Task awaitChange(Task seen) throws InterruptedException {
        return ask(request.toBuilder().setChangedAfter(seen.getChangedVersion()).build());
    }

    private Task ask(GetTaskRequest question) throws InterruptedException {
        return patience.ask(() -> cell.getTask(question));
    }

    private static int newestStarted(Task task) {
        return isBeforeStart(task) ? task.getAttempt() - 1 : task.getAttempt();
    }

    private static boolean isBeforeStart(Task task) {
        return task.getState() == TaskState.TASK_STATE_PENDING || task.getState() == TaskState.TASK_STATE_PLACED;
    }

    private boolean isEnded(Task task) throws InterruptedException {
        if (task.getFailedForGood() || isStoppedForGood(task)) {
            return true;
        }
        GetJobRequest question =
                GetJobRequest.newBuilder().setName(request.getJob()).build();
        JobStatus job = patience.ask(() -> cell.getJob(question));
        boolean isDone = task.getState() == TaskState.TASK_STATE_FINISHED && job.getType() == JobType.JOB_TYPE_BATCH;
        return isDone || new JobProgress(job).hasEnded();
    }

    /** A task that is stopped for a drain or an update runs again. */
    private static boolean isStoppedForGood(Task task) {
        return task.getState() == TaskState.TASK_STATE_KILLED && STOPPED_FOR_GOOD.contains(task.getReason());
    }
}
