package dev.cella.cli.job;

import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskState;
import java.util.OptionalInt;

/** A task that is followed from one attempt to the next. It waits by calls that each end when the task changes. */
final class FollowedTask {
    private final HttpCell cell;
    private final GetTaskRequest request;

    FollowedTask(HttpCell cell, GetTaskRequest request) {
        this.cell = cell;
        this.request = request;
    }

    /** The newest attempt, as soon as it has started. */
    int first() {
        Task seen = cell.getTask(request);
        while (isBeforeStart(seen)) {
            seen = awaitChange(seen);
        }
        return Math.max(1, seen.getAttempt());
    }

    /** The attempt after that one, as soon as it has started; empty if the task or its job ends before. */
    OptionalInt after(int attempt) {
        Task seen = cell.getTask(request);
        while (newestStarted(seen) <= attempt) {
            if (isEnded(seen)) {
                return OptionalInt.empty();
            }
            seen = awaitChange(seen);
        }
        return OptionalInt.of(attempt + 1);
    }

    private Task awaitChange(Task seen) {
        return cell.getTask(
                request.toBuilder().setChangedAfter(seen.getChangedVersion()).build());
    }

    private static int newestStarted(Task task) {
        return isBeforeStart(task) ? task.getAttempt() - 1 : task.getAttempt();
    }

    private static boolean isBeforeStart(Task task) {
        return task.getState() == TaskState.TASK_STATE_PENDING || task.getState() == TaskState.TASK_STATE_PLACED;
    }

    private boolean isEnded(Task task) {
        JobStatus job =
                cell.getJob(GetJobRequest.newBuilder().setName(request.getJob()).build());
        boolean isDone = task.getState() == TaskState.TASK_STATE_FINISHED && job.getType() == JobType.JOB_TYPE_BATCH;
        return isDone || new JobProgress(job).hasEnded();
    }
}
