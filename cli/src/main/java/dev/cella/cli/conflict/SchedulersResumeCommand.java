package dev.cella.cli.conflict;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.ResumeSchedulerRequest;
import dev.cella.client.proto.SchedulerPause;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella schedulers resume}: takes a pause back. */
@Command(
        name = "resume",
        header = "Lets a paused scheduler plan again.",
        footer = {"", "Example:", "  cella schedulers resume batch"})
public final class SchedulersResumeCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the scheduler")
    private String name = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public SchedulersResumeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        SchedulerPause resumed = cellOption
                .open(terminal)
                .resumeScheduler(
                        ResumeSchedulerRequest.newBuilder().setName(name).build());
        output.print(terminal, resumed, () -> terminal.print("scheduler " + name + " plans again"));
        return ExitCode.DONE.number();
    }
}
