package dev.cella.cli.job;

import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.GroupStatus;
import dev.cella.client.proto.JobState;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.TaskCounts;
import java.util.StringJoiner;

/** What one answer about a job tells the person who waits for it. */
record JobProgress(JobStatus job) {
    boolean hasEnded() {
        return switch (job.getState()) {
            case JOB_STATE_FINISHED, JOB_STATE_FAILED, JOB_STATE_STOPPED -> true;
            case JOB_STATE_PENDING, JOB_STATE_RUNNING, JOB_STATE_STOPPING, JOB_STATE_UNSPECIFIED, UNRECOGNIZED -> false;
        };
    }

    /** Nothing more is to be waited for: a batch job has ended, all of a service runs. */
    boolean isDone() {
        return hasEnded() || isServing();
    }

    private boolean isServing() {
        return job.getType() == JobType.JOB_TYPE_SERVICE && job.getTasks().getRunning() == count();
    }

    boolean isGood() {
        return job.getState() == JobState.JOB_STATE_FINISHED || isServing();
    }

    /** Tasks wait, and none is anywhere. */
    boolean isUnplaced() {
        TaskCounts tasks = job.getTasks();
        return tasks.getPending() > 0 && tasks.getPlaced() + tasks.getRunning() + tasks.getStopping() == 0;
    }

    /** {@code RUNNING   1 pending, 2 running}: equal for two answers that differ in nothing a person asks for. */
    String describe() {
        String reason = job.getReason().isEmpty() ? "" : " (" + job.getReason() + ")";
        return String.format("%-9s %s%s", Words.word(job.getState()), counts(), reason);
    }

    String pending() {
        return job.getTasks().getPending() + " of " + Words.plural(count(), "task");
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
