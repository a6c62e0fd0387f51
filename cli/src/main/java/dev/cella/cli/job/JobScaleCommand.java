package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.ScaleJobRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella job scale}: another number of tasks, and nothing else of the job. */
@Command(
        name = "scale",
        header = "Gives a group of a live job another number of tasks.",
        description = {"", "The group may be left out where the job has one. Surplus tasks are stopped.", ""},
        footer = {"", "Examples:", "  cella job scale web 5", "  cella job scale web/server 5"})
public final class JobScaleCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "NAME[/GROUP]", description = "a job, or one of its groups")
    private String name = "";

    @Parameters(index = "1", paramLabel = "COUNT", description = "the new number of tasks")
    private int count;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobScaleCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        ScaleJobRequest request = request();
        HttpCell cell = cellOption.open(terminal);
        JobStatus job = cell.getJob(
                GetJobRequest.newBuilder().setName(request.getName()).build());
        if (new JobProgress(job).hasEnded()) {
            throw CommandFailure.failed(job.getName() + " has ended", "submit it again with cella job run");
        }
        JobSubmitted scaled = cell.scaleJob(request);
        output.print(terminal, scaled, () -> terminal.print(describe(scaled)));
        return ExitCode.DONE.number();
    }

    private ScaleJobRequest request() {
        TaskSelection selection = TaskSelection.parse(name);
        if (selection.isOneTask()) {
            throw CommandFailure.usage(
                    "'" + name + "' is one task; only a group can be scaled",
                    "write " + selection.job() + "/" + selection.group());
        }
        ScaleJobRequest.Builder request =
                ScaleJobRequest.newBuilder().setName(selection.job()).setCount(count);
        return selection.group().isEmpty()
                ? request.build()
                : request.setGroup(selection.group()).build();
    }

    private String describe(JobSubmitted scaled) {
        return "scaled " + name + " to " + Words.plural(count, "task") + ", version " + scaled.getVersion();
    }
}
