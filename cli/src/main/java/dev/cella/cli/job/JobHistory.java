package dev.cella.cli.job;

import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetTimelineRequest;
import dev.cella.client.proto.JobAttempts;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskAttempt;
import dev.cella.client.proto.TaskState;
import dev.cella.client.proto.Timeline;
import dev.cella.client.proto.TimelineStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All attempts of a job's tasks, put together from the steps in the job's timeline. The cell's rows show only the newest
 * attempt of each task.
 *
 * @param attempts in the order in which they began
 * @param isWhole whether the cell still has every step of this job and has shown it
 */
record JobHistory(List<Task> attempts, boolean isWhole) {
    /** As many as the cell answers at once. */
    static final int STEPS_MAX = 1_000;

    private static final String STATE_PREFIX = "TASK_STATE_";

    JobHistory {
        attempts = List.copyOf(attempts);
    }

    static JobHistory of(JobStatus job, HttpCell cell) {
        return of(
                job,
                cell.getTimeline(
                        GetTimelineRequest.newBuilder().setJob(job.getName()).build()));
    }

    /** An earlier job of the same name has steps in the same timeline. */
    static JobHistory of(JobStatus job, Timeline timeline) {
        Map<String, Task.Builder> attempts = new LinkedHashMap<>();
        for (TimelineStep step : timeline.getStepsList()) {
            if (step.getVersion() >= job.getSubmittedVersion() && step.hasAttempt()) {
                state(step).ifPresent(state -> add(step, state, attempts));
            }
        }
        boolean isWhole =
                timeline.getKeptFromVersion() <= job.getSubmittedVersion() && timeline.getStepsCount() < STEPS_MAX;
        return new JobHistory(
                new ArrayList<>(
                        attempts.values().stream().map(Task.Builder::build).toList()),
                isWhole);
    }

    /** The state that the step led to; nothing for a step of the job, a lost claim, or a task that waits again. */
    private static Optional<TaskState> state(TimelineStep step) {
        for (TaskState state : TaskState.values()) {
            if (state != TaskState.TASK_STATE_PENDING && state.name().equals(STATE_PREFIX + step.getStep())) {
                return Optional.of(state);
            }
        }
        return Optional.empty();
    }

    private static void add(TimelineStep step, TaskState state, Map<String, Task.Builder> attempts) {
        Task.Builder attempt = attempts.computeIfAbsent(
                step.getTask() + "#" + step.getAttempt(),
                key -> Task.newBuilder().setTask(step.getTask()).setAttempt(step.getAttempt()));
        attempt.setState(state);
        if (step.hasMachine()) {
            attempt.setMachine(step.getMachine());
        }
        if (step.hasReason()) {
            attempt.setReason(step.getReason());
        }
        if (step.hasExitCode()) {
            attempt.setExitCode(step.getExitCode());
        }
        switch (state) {
            case TASK_STATE_RUNNING -> attempt.setStartedAt(step.getAt());
            case TASK_STATE_FINISHED, TASK_STATE_FAILED, TASK_STATE_KILLED, TASK_STATE_PREEMPTED, TASK_STATE_LOST ->
                attempt.setEndedAt(step.getAt());
            case TASK_STATE_UNSPECIFIED, TASK_STATE_PENDING, TASK_STATE_PLACED, TASK_STATE_STOPPING, UNRECOGNIZED -> {}
        }
    }

    /** The same with the rows of newest attempts, which say more than their steps do. */
    JobHistory with(List<Task> newest) {
        Map<String, Task> all = new LinkedHashMap<>();
        attempts.forEach(task -> all.put(key(task), task));
        newest.stream().filter(task -> task.getAttempt() > 0).forEach(task -> all.put(key(task), task));
        return new JobHistory(new ArrayList<>(all.values()), isWhole);
    }

    private static String key(Task task) {
        return task.getTask() + "#" + task.getAttempt();
    }

    JobAttempts answer(JobStatus job) {
        return JobAttempts.newBuilder()
                .setJob(job)
                .addAllAttempts(attempts.stream().map(JobHistory::answer).toList())
                .setWhole(isWhole)
                .build();
    }

    /** Only what steps say too: the rest of a row would be zero for an earlier attempt. */
    private static TaskAttempt answer(Task task) {
        TaskAttempt.Builder attempt = TaskAttempt.newBuilder();
        for (FieldDescriptor field : TaskAttempt.getDescriptor().getFields()) {
            FieldDescriptor known = Task.getDescriptor().findFieldByName(field.getName());
            if (task.hasField(known)) {
                attempt.setField(field, task.getField(known));
            }
        }
        return attempt.build();
    }
}
