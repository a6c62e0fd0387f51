package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobEffect;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.JobType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella job run}: submits a job, and with {@code --wait} stays until it has ended. */
@Command(
        name = "run",
        header = "Submits the job in FILE.",
        description = {
            "",
            "With --wait it ends when the job has ended. Exit code: 0 when every task finished, 1 when a task failed"
                    + " for good or the job was stopped, 2 when it is not placed. Ctrl-C leaves the job running.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  cella job run examples/hello.yaml --wait",
            "  cella job run examples/hello.yaml --update",
            "  cella job run examples/hello.yaml --update --check-version 120"
        })
public final class JobRunCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "the job in YAML or JSON; - reads it from standard input")
    private String file = "";

    @Option(
            names = "--update",
            description =
                    "a live job of that name becomes this one; a service's tasks are replaced a few at a time, those"
                            + " of a batch job stay as they are until they are restarted")
    private boolean update;

    @Option(
            names = "--check-version",
            paramLabel = "N",
            description =
                    "with --update: only if the job was updated at version N last (its updatedVersion in cella job"
                            + " status -o json); 0: only if there is no job of that name")
    private @Nullable Long checkVersion;

    @Option(
            names = "--wait",
            description = "stay until the job has ended, or all of a service runs, and say how it goes")
    private boolean wait;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "5m",
            description = "with --wait: give up after this time without progress (default: 5m)")
    private Duration timeout = Duration.ofMinutes(5);

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobRunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        checkOptions();
        Job job = JobFile.read(file, terminal);
        HttpCell cell = cellOption.open(terminal);
        List<String> neverPlaceable = LargestMachine.of(cell).tooSmallFor(job);
        ServedNote.of(job, cell).ifPresent(note -> terminal.say("note:  " + note));
        if (!wait) {
            submit(job, cell);
            neverPlaceable.forEach(reason -> terminal.say("note:  it stays PENDING, because " + reason));
            return ExitCode.DONE.number();
        }
        refuseNeverPlaceable(job, neverPlaceable);
        return new JobWait(cell, timeout, output, terminal)
                .untilEnded(put(job, cell))
                .number();
    }

    private void checkOptions() {
        if (checkVersion != null && !update) {
            throw CommandFailure.usage("--check-version is for updates only", "add --update");
        }
        if (checkVersion != null && checkVersion < 0) {
            throw CommandFailure.usage(
                    "--check-version is at least 0, not " + checkVersion, "see cella job run --help");
        }
    }

    private JobSubmitted put(Job job, HttpCell cell) {
        if (!update) {
            return cell.submitJob(job);
        }
        Job.Builder asked = job.toBuilder();
        if (checkVersion != null) {
            asked.setCheckVersion(checkVersion);
        }
        return cell.putJob(asked.build());
    }

    private void submit(Job job, HttpCell cell) {
        JobSubmitted submitted = put(job, cell);
        Optional<JobStatus> now = status(submitted, cell);
        JobEffect effect = now.map(status -> effect(submitted, status)).orElse(JobEffect.JOB_EFFECT_UNSPECIFIED);
        output.print(terminal, submitted, () -> terminal.print(describe(job, submitted, effect)));
        submitted.getWarningsList().forEach(warning -> terminal.say("note:  " + warning));
        if (effect == JobEffect.JOB_EFFECT_CHANGED) {
            now.ifPresent(status -> sayWhatIsOutdated(job, status));
        }
    }

    /** The job is in, so the command is done also if the cell goes away before it says more. */
    private Optional<JobStatus> status(JobSubmitted submitted, HttpCell cell) {
        try {
            return Optional.of(cell.getJob(GetJobRequest.newBuilder()
                    .setName(submitted.getName())
                    .setMinVersion(submitted.getVersion())
                    .build()));
        } catch (CellUnreachable | Problem away) {
            terminal.say("note:  the cell has the job, but did not say what it changed: " + away.getMessage());
            return Optional.empty();
        }
    }

    private void sayWhatIsOutdated(Job job, JobStatus status) {
        if (status.getOutdated() > 0) {
            terminal.say(Words.plural(status.getOutdated(), "task") + " on machines still run an older generation");
            terminal.say("next:  cella job " + (job.getType() == JobType.JOB_TYPE_SERVICE ? "status " : "restart ")
                    + status.getName());
        }
    }

    /** A job that ended frees its name for a new job. A cell of an old feature level does not keep updated versions. */
    private static JobEffect effect(JobSubmitted submitted, JobStatus job) {
        if (job.getSubmittedVersion() >= submitted.getVersion()) {
            return JobEffect.JOB_EFFECT_CREATED;
        }
        return job.hasUpdatedVersion() && job.getUpdatedVersion() < submitted.getVersion()
                ? JobEffect.JOB_EFFECT_UNCHANGED
                : JobEffect.JOB_EFFECT_CHANGED;
    }

    private static String describe(Job job, JobSubmitted submitted, JobEffect effect) {
        String generation = submitted.getGeneration() > 1 ? ", generation " + submitted.getGeneration() : "";
        String done = switch (effect) {
            case JOB_EFFECT_CHANGED -> "updated ";
            case JOB_EFFECT_UNCHANGED -> "unchanged ";
            case JOB_EFFECT_CREATED, JOB_EFFECT_UNSPECIFIED, UNRECOGNIZED -> "submitted ";
        };
        return done + submitted.getName() + ": " + Words.plural(JobFile.tasks(job), "task") + generation + ", version "
                + submitted.getVersion();
    }

    /** Refuses to wait for a job that can never be placed. The job is not submitted. */
    private static void refuseNeverPlaceable(Job job, List<String> neverPlaceable) {
        if (!neverPlaceable.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.NOT_PLACED,
                    neverPlaceable.stream()
                            .map(reason -> job.getName() + " can never be placed: " + reason)
                            .toList(),
                    "nothing was submitted; ask for less, or see what there is with cella machine list");
        }
    }
}
