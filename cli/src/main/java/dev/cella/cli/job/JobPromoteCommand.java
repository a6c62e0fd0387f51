package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.PromoteJobRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella job promote}: an update goes on behind its canaries. */
@Command(
        name = "promote",
        header = "Lets an update go on that waits with its canaries.",
        description = {
            "",
            "A service whose update says canary: N replaces N tasks and waits. After the promotion it replaces the"
                    + " others. To give the canaries up instead: cella job revert NAME.",
            ""
        },
        footer = {"", "Example:", "  cella job promote web"})
public final class JobPromoteCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the job")
    private String name = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobPromoteCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        TaskSelection.parseJob(name);
        HttpCell cell = cellOption.open(terminal);
        JobSubmitted promoted =
                cell.promoteJob(PromoteJobRequest.newBuilder().setName(name).build());
        output.print(
                terminal,
                promoted,
                () -> terminal.print("promoted " + name + ": generation " + promoted.getGeneration() + ", version "
                        + promoted.getVersion()));
        return ExitCode.DONE.number();
    }
}
