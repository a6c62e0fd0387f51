package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobStopped;
import dev.cella.client.proto.StopJobRequest;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella job stop}. */
@Command(
        name = "stop",
        header = "Stops a job: its tasks are ended, its row stays to be looked at.",
        footer = {"", "Examples:", "  cella job stop hello", "  cella job stop hello --grace 2s"})
public final class JobStopCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the job")
    private String name = "";

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            description =
                    "how long its tasks have to end before they are killed, such as 30s or 0s (default: run.stopGrace"
                            + " of the job); for a job that is stopping already only a shorter one counts")
    private @Nullable Duration grace;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobStopCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        TaskSelection.parseJob(name);
        HttpCell cell = cellOption.open(terminal);
        JobStatus before = cell.getJob(GetJobRequest.newBuilder().setName(name).build());
        JobStopped stopped = cell.stopJob(request());
        output.print(terminal, stopped, () -> terminal.print(describe(before, stopped)));
        return ExitCode.DONE.number();
    }

    private StopJobRequest request() {
        StopJobRequest.Builder request = StopJobRequest.newBuilder().setName(name);
        if (grace != null) {
            request.setGrace(com.google.protobuf.Duration.newBuilder()
                    .setSeconds(grace.getSeconds())
                    .setNanos(grace.getNano()));
        }
        return request.build();
    }

    /** Stopping an ended job changes nothing and is no failure. */
    private String describe(JobStatus before, JobStopped stopped) {
        return new JobProgress(before).hasEnded()
                ? name + " has ended before: " + Words.word(before.getState())
                : "stopping " + name + ", version " + stopped.getVersion();
    }
}
