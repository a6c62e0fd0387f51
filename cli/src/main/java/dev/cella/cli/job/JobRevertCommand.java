package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.RevertJobRequest;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella job revert}: the job becomes again what it was. */
@Command(
        name = "revert",
        header = "Makes a job again what it was in an earlier generation.",
        description = {
            "",
            "The cell updates the job: a service's tasks are replaced a few at a time, and tasks that are the same in"
                    + " both generations stay. The job keeps the number of tasks that it was scaled to.",
            ""
        },
        footer = {"", "Examples:", "  cella job revert web", "  cella job revert web --to 3 --wait"})
public final class JobRevertCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the job")
    private String name = "";

    @Option(
            names = "--to",
            paramLabel = "GENERATION",
            description = "the generation to go back to (default: the newest one that differs; a promotion is skipped)")
    private @Nullable Integer generation;

    @Option(names = "--wait", description = "stay until the job is what it was, and say how it goes")
    private boolean wait;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "5m",
            description = "with --wait: give up when the job made no progress for so long (default: 5m)")
    private Duration timeout = Duration.ofMinutes(5);

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobRevertCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        TaskSelection.parseJob(name);
        if (generation != null && generation < 1) {
            throw CommandFailure.usage("--to is at least 1, not " + generation, "see cella job revert --help");
        }
        HttpCell cell = cellOption.open(terminal);
        JobSubmitted reverted = cell.revertJob(request(cell));
        if (wait) {
            return new JobWait(cell, timeout, output, terminal)
                    .untilEnded(reverted)
                    .number();
        }
        output.print(
                terminal,
                reverted,
                () -> terminal.print("reverted " + name + ": generation " + reverted.getGeneration() + ", version "
                        + reverted.getVersion()));
        return ExitCode.DONE.number();
    }

    /** It names what the job becomes: if the answer is lost and the request is repeated, the revert is not undone. */
    private RevertJobRequest request(HttpCell cell) {
        RevertJobRequest.Builder request = RevertJobRequest.newBuilder().setName(name);
        if (generation != null) {
            return request.setGeneration(generation).build();
        }
        JobStatus job = cell.getJob(GetJobRequest.newBuilder().setName(name).build());
        if (job.hasRevertsTo()) {
            request.setGeneration(job.getRevertsTo());
        }
        if (job.hasUpdatedVersion()) {
            request.setCheckVersion(job.getUpdatedVersion());
        }
        return request.build();
    }
}
