package dev.cella.cli.job;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Interruption;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.ProgressLine;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ExplainJobRequest;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.JobExplanation;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Waits until a batch job has ended, or until all of a service runs and is healthy. It asks again and again; each answer comes as soon as
 * the job has changed. It prints a line whenever the job looks different.
 */
final class JobWait {
    /** One poll; the cell answers at once when the job changes, so it only bounds how long a connection hangs. */
    private static final Duration POLL = Duration.ofSeconds(10);

    private final HttpCell cell;
    private final Duration timeout;
    private final OutputOption output;
    private final Terminal terminal;
    private final InstantSource clock;
    private final Instant start;

    private final JobPatience patience;
    private final JobHealth health = new JobHealth();
    private final AwayPatience awayPatience;
    private final ProgressLine shownLine;
    private String shown = "";

    JobWait(HttpCell cell, Duration timeout, OutputOption output, Terminal terminal) {
        this.cell = cell;
        this.timeout = timeout;
        this.output = output;
        this.terminal = terminal;
        this.clock = terminal.environment().clock();
        this.start = clock.instant();
        this.patience = new JobPatience(timeout, start);
        this.awayPatience = new AwayPatience(clock);
        this.shownLine = new ProgressLine(terminal);
    }

    @SuppressWarnings("try") // the interruption is there while the block runs, and nobody asks it anything
    ExitCode untilEnded(JobSubmitted submitted) throws InterruptedException {
        String name = submitted.getName();
        try (Interruption interruption = Interruption.answeredBy(() -> sayItGoesOn(name))) {
            return report(untilDone(submitted));
        }
    }

    private JobProgress untilDone(JobSubmitted submitted) throws InterruptedException {
        try (shownLine) {
            JobProgress progress = show(ask(first(submitted)));
            refuseNewer(progress.job(), submitted);
            if (progress.isUpdatedBy(submitted)) {
                health.updated();
            }
            while (!progress.isDone() || isToBecomeHealthy(progress)) {
                if (!progress.isServing() || progress.awaitsChecks()) {
                    giveUpInVain(progress);
                }
                progress = show(ask(next(progress)));
                refuseNewer(progress.job(), submitted);
            }
            return progress;
        }
    }

    private boolean isToBecomeHealthy(JobProgress progress) {
        return progress.awaitsChecks()
                || !health.left(progress, clock.instant()).isZero();
    }

    /** Fails if another generation has taken the place of the one that was submitted: a revert, or another update. */
    private void refuseNewer(JobStatus job, JobSubmitted submitted) {
        if (job.getGeneration() <= submitted.getGeneration() || job.getType() != JobType.JOB_TYPE_SERVICE) {
            return;
        }
        shownLine.close();
        throw CommandFailure.failed(
                job.hasRevertedTo()
                        ? "generation " + submitted.getGeneration() + " of " + job.getName()
                                + " was reverted: it is generation " + job.getRevertedTo() + " again"
                        : job.getName() + " was updated again: it is of generation " + job.getGeneration() + " now",
                "why tasks failed: cella job status " + job.getName() + " --history");
    }

    private static GetJobRequest first(JobSubmitted submitted) {
        return GetJobRequest.newBuilder()
                .setName(submitted.getName())
                .setMinVersion(submitted.getVersion())
                .build();
    }

    private GetJobRequest next(JobProgress seen) {
        boolean awaitsTime = seen.isServing() && !seen.awaitsChecks();
        Duration left = awaitsTime ? health.left(seen, clock.instant()) : patience.left(clock.instant());
        Duration wait = left.compareTo(POLL) < 0 && !left.isNegative() ? left : POLL;
        return GetJobRequest.newBuilder()
                .setName(seen.job().getName())
                .setChangedAfter(seen.job().getChangedVersion())
                .setWait(com.google.protobuf.Duration.newBuilder()
                        .setSeconds(wait.getSeconds())
                        .setNanos(wait.getNano()))
                .build();
    }

    private JobStatus ask(GetJobRequest request) throws InterruptedException {
        return awayPatience.ask(() -> cell.getJob(request));
    }

    private JobProgress show(JobStatus job) {
        JobProgress progress = new JobProgress(job);
        String line = progress.describe();
        patience.saw(progress, clock.instant());
        health.saw(progress, clock.instant());
        if (!line.equals(shown)) {
            shown = line;
            shownLine.show(String.format("%8s  %s", Words.duration(Duration.between(start, clock.instant())), line));
        }
        return progress;
    }

    /** Ends the command at once if no machine could ever hold a task, else when the job made no progress for too long. */
    private void giveUpInVain(JobProgress progress) throws InterruptedException {
        boolean late = patience.isOver(clock.instant());
        if (!late && !progress.mayNeverBePlaced()) {
            return;
        }
        String name = progress.job().getName();
        ExplainJobRequest question =
                ExplainJobRequest.newBuilder().setName(name).build();
        JobExplanation explanation = awayPatience.ask(() -> cell.explainJob(question));
        if (late || explanation.getNeverPlaceable()) {
            shownLine.close();
            // On standard error, before the error that ends the command.
            new ExplanationText(terminal::say).print(explanation);
            throw new CommandFailure(
                    ExitCode.NOT_PLACED,
                    List.of(name
                            + progress.shortfall()
                            + why(explanation, progress.job().getReason())),
                    progress.hint());
        }
    }

    private String why(JobExplanation explanation, String reason) {
        return explanation.getNeverPlaceable()
                ? ", and no machine of the cell could ever hold it"
                : ", and nothing changed for " + Words.duration(timeout) + (reason.isEmpty() ? "" : ": " + reason);
    }

    private ExitCode report(JobProgress progress) throws InterruptedException {
        output.print(terminal, progress.job(), () -> JobListing.print(List.of(progress.job()), terminal));
        if (progress.awaitsPromotion()) {
            String name = progress.job().getName();
            terminal.say("the canaries of " + name + " run, and "
                    + Words.plural(progress.job().getOutdated(), "older task") + " wait");
            terminal.say("next:  cella job promote " + name + ", or cella job revert " + name);
        }
        if (progress.isGood()) {
            return ExitCode.DONE;
        }
        throw failure(progress.job());
    }

    private CommandFailure failure(JobStatus job) throws InterruptedException {
        String name = job.getName();
        return awayPatience.ask(() -> cell.listTasks(failedTasks(name))).getTasksList().stream()
                .findFirst()
                .map(task -> CommandFailure.failed(describe(task), hint(task)))
                .orElseGet(() ->
                        CommandFailure.failed(name + " was stopped before it finished", "cella job status " + name));
    }

    private static ListTasksRequest failedTasks(String name) {
        return ListTasksRequest.newBuilder()
                .setJob(name)
                .addState(TaskState.TASK_STATE_FAILED)
                .setLimit(1)
                .build();
    }

    private static String describe(Task task) {
        String how = task.hasExitCode() ? " with exit code " + task.getExitCode() : because(task);
        return "task " + task.getTask() + " failed for good" + how + ", at attempt " + task.getAttempt();
    }

    private static String because(Task task) {
        return task.hasReason() ? ": " + task.getReason() : "";
    }

    /** An attempt that never ran has no output of its own; the reason is in its error output. */
    private static String hint(Task task) {
        return "cella job logs " + task.getTask() + (task.hasExitCode() ? "" : " --stderr");
    }

    private void sayItGoesOn(String name) {
        shownLine.close();
        terminal.say("interrupted: " + name + " goes on; see cella job status " + name + ", or cella job stop " + name);
    }
}
