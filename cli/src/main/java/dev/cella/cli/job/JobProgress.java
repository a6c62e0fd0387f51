package dev.cella.cli.job;

import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.GroupStatus;
import dev.cella.client.proto.JobState;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.TaskCounts;
import java.util.StringJoiner;

/** The progress in one answer about a job. */
record JobProgress(JobStatus job) {
    boolean hasEnded() {
        return switch (job.getState()) {
            case JOB_STATE_FINISHED, JOB_STATE_FAILED, JOB_STATE_STOPPED -> true;
            case JOB_STATE_PENDING, JOB_STATE_RUNNING, JOB_STATE_STOPPING, JOB_STATE_UNSPECIFIED, UNRECOGNIZED -> false;
        };
    }

    /** The wait is over: a batch job has ended, or all of a service runs. */
    boolean isDone() {
        return hasEnded() || isServing() || awaitsPromotion();
    }

    /** All of a service runs, and is up to date. */
    boolean isServing() {
        return isService() && serving() == count();
    }

    /** All of a service runs, and tasks of it have not passed their check yet, as far as agents report it. */
    boolean awaitsChecks() {
        return isServing() && unchecked() > 0;
    }

    /** Returns whether all tasks of the group are reported to have passed their check. */
    boolean hasPassedChecks(Group group) {
        return group.hasCheck()
                && job.getGroupsList().stream()
                        .filter(status -> status.getName().equals(group.getName()))
                        .anyMatch(status -> status.getChecked() >= status.getCount());
    }

    boolean isGood() {
        return job.getState() == JobState.JOB_STATE_FINISHED || isServing() || awaitsPromotion();
    }

    /** Returns whether its update goes no further by itself. */
    boolean awaitsPromotion() {
        return isService() && job.getAwaitsPromotion();
    }

    /** Returns whether that submission has updated the job. A cell of an old feature level does not say so. */
    boolean isUpdatedBy(JobSubmitted submitted) {
        return job.getSubmittedVersion() < submitted.getVersion() && job.getUpdatedVersion() >= submitted.getVersion();
    }

    /** Returns whether its tasks or its scheduler tell that an update is under way. */
    boolean isUnderUpdate() {
        return isOutdated() || !job.getUpdate().isEmpty();
    }

    /** Tasks wait, and none is anywhere. */
    boolean isUnplaced() {
        TaskCounts tasks = job.getTasks();
        return tasks.getPending() > 0 && tasks.getPlaced() + tasks.getRunning() + tasks.getStopping() == 0;
    }

    /** {@code RUNNING   1 pending, 2 running}: equal for two answers that do not differ for a person. */
    String describe() {
        String reason = job.getReason().isEmpty() ? "" : " (" + job.getReason() + ")";
        String outdated = isOutdated() ? ", " + job.getOutdated() + " outdated" : "";
        String unchecked = unchecked() > 0 ? ", " + unchecked() + " unchecked" : "";
        return String.format("%-9s %s%s%s%s", Words.word(job.getState()), counts(), unchecked, outdated, reason);
    }

    /** Returns whether to ask if a task can never be placed. */
    boolean mayNeverBePlaced() {
        return isUnplaced() || (isService() && job.getTasks().getPending() > 0);
    }

    /** Describes the missing tasks: {@code is not placed: 3 of 4 tasks still pending}. */
    String shortfall() {
        return job.getTasks().getPending() > 0
                ? " is not placed: " + job.getTasks().getPending() + " of " + tasks() + " still pending"
                : isOutdated()
                        ? " is not updated: " + job.getOutdated() + " of " + tasks() + " still run an older generation"
                        : awaitsChecks()
                                ? " is not healthy: " + unchecked() + " of " + tasks() + " have not passed their check"
                                : " is not running: " + serving() + " of " + tasks() + " run";
    }

    String hint() {
        String name = job.getName();
        return job.getTasks().getPending() > 0
                ? "it stays PENDING; what is free: cella machine list; to take it back: cella job stop " + name
                : isOutdated()
                        ? (isService() && !job.getUpdate().isEmpty()
                                ? job.getUpdate() + ": cella job status " + name
                                : "restart them, a few at a time: cella job restart " + name)
                        : "what its tasks do: cella job status " + name;
    }

    private String tasks() {
        return Words.plural(count(), "task");
    }

    boolean isService() {
        return job.getType() == JobType.JOB_TYPE_SERVICE;
    }

    /** How many tasks of a service are up to date and running. */
    long serving() {
        return Math.max(0, job.getTasks().getRunning() - job.getOutdated());
    }

    long checked() {
        return job.getGroupsList().stream().mapToLong(GroupStatus::getChecked).sum();
    }

    private long unchecked() {
        return job.getGroupsList().stream().mapToLong(GroupStatus::getUnchecked).sum();
    }

    private boolean isOutdated() {
        return job.getOutdated() > 0;
    }

    private long count() {
        return job.getGroupsList().stream().mapToLong(GroupStatus::getCount).sum();
    }

    private String counts() {
        TaskCounts tasks = job.getTasks();
        StringJoiner counts = new StringJoiner(", ");
        add(counts, tasks.getPending(), "pending");
        add(counts, tasks.getPlaced(), "placed");
        add(counts, tasks.getRunning(), "running");
        add(counts, tasks.getStopping(), "stopping");
        add(counts, tasks.getFinished(), "finished");
        add(counts, tasks.getFailed(), "failed");
        add(counts, tasks.getKilled(), "killed");
        add(counts, tasks.getPreempted(), "preempted");
        add(counts, tasks.getLost(), "lost");
        return counts.toString();
    }

    private static void add(StringJoiner counts, long count, String state) {
        if (count > 0) {
            counts.add(count + " " + state);
        }
    }
}
