package dev.cella.cli.job;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Interruption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.EvictionRequest;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.ItemResult;
import dev.cella.client.proto.JobState;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskState;
import dev.cella.client.proto.TransactionOutcome;
import dev.cella.client.proto.TransactionRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Restarts tasks a few at a time. It evicts them in their scheduler's name, and the scheduler retries them like every
 * preempted task. The next ones follow when these run again. Only a transaction can stop a task, so this is one more client
 * that watches and commits.
 */
final class JobRestart {
    private static final int EVICTIONS_MAX = 10_000;
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

    private final HttpCell cell;
    private final JobStatus job;
    private final Duration timeout;
    private final Terminal terminal;
    private final InstantSource clock;
    private final AwayPatience patience;

    JobRestart(HttpCell cell, JobStatus job, Duration timeout, Terminal terminal) {
        this.cell = cell;
        this.job = job;
        this.timeout = timeout;
        this.terminal = terminal;
        this.clock = terminal.environment().clock();
        this.patience = new AwayPatience(clock);
    }

    @SuppressWarnings("try") // the interruption is there while the block runs, and nobody asks it anything
    void restart(List<Task> tasks, int parallelMax) throws InterruptedException {
        int step = Math.min(parallelMax, EVICTIONS_MAX);
        try (Interruption interruption = Interruption.answeredBy(this::sayItStopsHere)) {
            for (int from = 0; from < tasks.size(); from += step) {
                List<Task> now = tasks.subList(from, Math.min(tasks.size(), from + step));
                for (Task evicted : evict(now)) {
                    awaitIfThere(evicted);
                }
                terminal.say("restarted " + (from + now.size()) + " of " + Words.plural(tasks.size(), "task"));
            }
        }
    }

    private void sayItStopsHere() {
        terminal.say("interrupted: no more tasks of " + job.getName() + " are restarted");
    }

    /**
     * Evicts them, and returns the evicted ones: a task that has ended by itself in the meantime starts again anyway. The
     * request may be repeated, because the cell commits a transaction of one id once.
     */
    private List<Task> evict(List<Task> tasks) throws InterruptedException {
        TransactionRequest.Builder request = TransactionRequest.newBuilder()
                .setId("restart-" + UUID.randomUUID())
                .setScheduler(job.getScheduler());
        tasks.forEach(task -> request.addEvictions(
                EvictionRequest.newBuilder().setTask(task.getTask()).setAttempt(task.getAttempt())));
        TransactionOutcome outcome = patience.ask(() -> cell.commit(request.build()));
        if (outcome.getResultsCount() != tasks.size()) {
            throw refused(outcome.getReason());
        }
        List<Task> evicted = new ArrayList<>();
        for (int place = 0; place < tasks.size(); place++) {
            ItemResult result = outcome.getResults(place);
            if (result.getReason().equals("NOT_ALLOWED")) {
                throw refused(result.getReason());
            }
            if (result.getAccepted()) {
                evicted.add(tasks.get(place));
            }
        }
        return evicted;
    }

    private CommandFailure refused(String reason) {
        return CommandFailure.failed(
                reason + ": the cell does not stop tasks of " + job.getName() + " in the name of scheduler "
                        + job.getScheduler(),
                "an operator sets what a scheduler may evict");
    }

    /** A task is gone when its group shrinks meanwhile, and so is a job that is stopped and forgotten. */
    private void awaitIfThere(Task before) throws InterruptedException {
        try {
            awaitNextAttempt(before);
        } catch (Problem problem) {
            if (problem.type() != ProblemType.NOT_FOUND) {
                throw problem;
            }
        }
    }

    private void awaitNextAttempt(Task before) throws InterruptedException {
        Instant end = clock.instant().plus(timeout);
        TaskSelection which = TaskSelection.parse(before.getTask());
        GetTaskRequest.Builder next = GetTaskRequest.newBuilder()
                .setJob(which.job())
                .setGroup(which.group())
                .setIndex(which.index().orElseThrow())
                .setWait(com.google.protobuf.Duration.newBuilder().setSeconds(LOOK_AGAIN.toSeconds()));
        Task seen = ask(next.build());
        while (!isRunningAgain(seen, before) && !isOver(seen)) {
            giveUpAfter(end, seen);
            seen = ask(next.setChangedAfter(seen.getChangedVersion()).build());
        }
    }

    private Task ask(GetTaskRequest question) throws InterruptedException {
        return patience.ask(() -> cell.getTask(question));
    }

    private static boolean isRunningAgain(Task seen, Task before) {
        return seen.getAttempt() > before.getAttempt()
                && (seen.getState() == TaskState.TASK_STATE_RUNNING
                        || seen.getState() == TaskState.TASK_STATE_FINISHED
                        || seen.getState() == TaskState.TASK_STATE_FAILED);
    }

    /** The task finished before it could be stopped, or nobody wants it any more, or the whole job is being stopped. */
    private boolean isOver(Task seen) throws InterruptedException {
        boolean finished = seen.getState() == TaskState.TASK_STATE_FINISHED && job.getType() == JobType.JOB_TYPE_BATCH;
        return finished || seen.getState() == TaskState.TASK_STATE_KILLED || isStopped();
    }

    private boolean isStopped() throws InterruptedException {
        GetJobRequest question =
                GetJobRequest.newBuilder().setName(job.getName()).build();
        JobState state = patience.ask(() -> cell.getJob(question)).getState();
        return state == JobState.JOB_STATE_STOPPING || state == JobState.JOB_STATE_STOPPED;
    }

    private void giveUpAfter(Instant end, Task seen) {
        if (!clock.instant().isBefore(end)) {
            throw new CommandFailure(
                    ExitCode.NOT_PLACED,
                    List.of("task " + seen.getTask() + " does not run again after " + Words.duration(timeout) + ": "
                            + Optional.of(seen.getReason())
                                    .filter(reason -> !reason.isEmpty())
                                    .orElseGet(() -> Words.word(seen.getState()))),
                    "see cella job explain " + job.getName());
        }
    }
}
