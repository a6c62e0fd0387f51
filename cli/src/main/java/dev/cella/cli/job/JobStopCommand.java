package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.JobStopped;
import dev.cella.client.proto.StopJobRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella job stop}. */
@Command(
        name = "stop",
        header = "Stops a job: its tasks are ended, its row stays to be looked at.",
        footer = {"", "Example:", "  cella job stop hello"})
public final class JobStopCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the job")
    private String name = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobStopCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        JobStopped stopped = cellOption
                .open(terminal)
                .stopJob(StopJobRequest.newBuilder().setName(name).build());
        output.print(terminal, stopped, () -> terminal.print("stopping " + name + ", version " + stopped.getVersion()));
        return ExitCode.DONE.number();
    }
}
