package dev.cella.cli.job;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Interruption;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ExplainJobRequest;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.JobExplanation;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Stays with a batch job until it has ended, and with a service until all of it runs: asks for it again and again, each answer coming as soon as the job has changed,
 * and prints a line whenever it looks different.
 */
final class JobWait {
    /** One poll; the cell answers at once when the job changes, so it only bounds how long a connection hangs. */
    private static final Duration POLL = Duration.ofSeconds(10);

    private static final Duration AWAY_MAX = Duration.ofSeconds(30);
    private static final Duration AWAY_PAUSE = Duration.ofMillis(200);
    private static final int SERVICE_UNAVAILABLE = 503;

    private final HttpCell cell;
    private final Duration timeout;
    private final OutputOption output;
    private final Terminal terminal;
    private final InstantSource clock;
    private final Instant start;

    private Instant placedOrChanged;
    private String shown = "";

    JobWait(HttpCell cell, Duration timeout, OutputOption output, Terminal terminal) {
        this.cell = cell;
        this.timeout = timeout;
        this.output = output;
        this.terminal = terminal;
        this.clock = terminal.environment().clock();
        this.start = clock.instant();
        this.placedOrChanged = start;
    }

    @SuppressWarnings("try") // the interruption is there while the block runs, and nobody asks it anything
    ExitCode untilEnded(JobSubmitted submitted) throws InterruptedException {
        String name = submitted.getName();
        try (Interruption interruption = Interruption.answeredBy(() -> sayItGoesOn(name))) {
            JobProgress progress = show(ask(first(submitted)));
            while (!progress.isDone()) {
                giveUpWhenUnplaced(progress);
                progress = show(ask(next(progress.job())));
            }
            return report(progress);
        }
    }

    private static GetJobRequest first(JobSubmitted submitted) {
        return GetJobRequest.newBuilder()
                .setName(submitted.getName())
                .setMinVersion(submitted.getVersion())
                .build();
    }

    private GetJobRequest next(JobStatus seen) {
        Duration left = Duration.between(clock.instant(), placedOrChanged.plus(timeout));
        Duration wait = left.compareTo(POLL) < 0 && !left.isNegative() ? left : POLL;
        return GetJobRequest.newBuilder()
                .setName(seen.getName())
                .setChangedAfter(seen.getChangedVersion())
                .setWait(com.google.protobuf.Duration.newBuilder()
                        .setSeconds(wait.getSeconds())
                        .setNanos(wait.getNano()))
                .build();
    }

    /** A cell whose server starts again is away for seconds, and the job outlives that: so does the one who waits. */
    private JobStatus ask(GetJobRequest request) throws InterruptedException {
        Instant awaySince = clock.instant();
        while (true) {
            try {
                return cell.getJob(request);
            } catch (CellUnreachable | Problem away) {
                if (!isAway(away) || clock.instant().isAfter(awaySince.plus(AWAY_MAX))) {
                    throw away;
                }
                Thread.sleep(AWAY_PAUSE.toMillis());
            }
        }
    }

    private static boolean isAway(RuntimeException failure) {
        return !(failure instanceof Problem problem) || problem.type().status() == SERVICE_UNAVAILABLE;
    }

    private JobProgress show(JobStatus job) {
        JobProgress progress = new JobProgress(job);
        String line = progress.describe();
        if (!line.equals(shown) || !progress.isUnplaced()) {
            placedOrChanged = clock.instant();
        }
        if (!line.equals(shown)) {
            shown = line;
            terminal.say(String.format("%8s  %s", Words.duration(Duration.between(start, clock.instant())), line));
        }
        return progress;
    }

    /** At once where no machine could ever hold a task of it, as soon as its scheduler has found that out. */
    private void giveUpWhenUnplaced(JobProgress progress) {
        if (!progress.isUnplaced()) {
            return;
        }
        String name = progress.job().getName();
        boolean late = !clock.instant().isBefore(placedOrChanged.plus(timeout));
        JobExplanation explanation =
                cell.explainJob(ExplainJobRequest.newBuilder().setName(name).build());
        if (late || explanation.getNeverPlaceable()) {
            // On standard error, before the error that ends the command.
            new ExplanationText(terminal::say).print(explanation);
            throw new CommandFailure(
                    ExitCode.NOT_PLACED,
                    List.of(name + " is not placed: " + progress.pending() + " still pending"
                            + why(explanation, progress.job().getReason())),
                    "it stays PENDING; what is free: cella machine list; to take it back: cella job stop " + name);
        }
    }

    private String why(JobExplanation explanation, String reason) {
        return explanation.getNeverPlaceable()
                ? ", and no machine of the cell could ever hold it"
                : " after " + Words.duration(timeout) + (reason.isEmpty() ? "" : ": " + reason);
    }

    private ExitCode report(JobProgress progress) {
        output.print(terminal, progress.job(), () -> JobTable.print(List.of(progress.job()), terminal));
        if (progress.isGood()) {
            return ExitCode.DONE;
        }
        throw failure(progress.job());
    }

    private CommandFailure failure(JobStatus job) {
        String name = job.getName();
        return cell.listTasks(failedTasks(name)).getTasksList().stream()
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

    /** One that never ran has said nothing itself; why is among what was written as errors. */
    private static String hint(Task task) {
        return "cella job logs " + task.getTask() + (task.hasExitCode() ? "" : " --stderr");
    }

    private void sayItGoesOn(String name) {
        terminal.say("interrupted: " + name + " goes on; see cella job status " + name + ", or cella job stop " + name);
    }
}
