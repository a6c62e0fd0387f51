package dev.cella.cli.conflict;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.PauseSchedulerRequest;
import dev.cella.client.proto.SchedulerPause;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella schedulers pause}: an operator tells a scheduler to plan nothing for now. */
@Command(
        name = "pause",
        header = "Lets a scheduler plan nothing until it is resumed.",
        description = {
            "",
            "Nothing new of its jobs is placed, by any of its instances, also after a restart of the cell. What runs goes on.",
            ""
        },
        footer = {"", "Example:", "  cella schedulers pause batch"})
public final class SchedulersPauseCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the scheduler")
    private String name = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public SchedulersPauseCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        SchedulerPause paused = cellOption
                .open(terminal)
                .pauseScheduler(PauseSchedulerRequest.newBuilder().setName(name).build());
        output.print(
                terminal,
                paused,
                () -> terminal.print("scheduler " + name
                        + " is paused: its jobs stay as they are; to go on: cella schedulers resume " + name));
        return ExitCode.DONE.number();
    }
}
