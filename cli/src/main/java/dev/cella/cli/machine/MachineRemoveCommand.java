package dev.cella.cli.machine;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.MachineRemoved;
import dev.cella.client.proto.RemoveMachineRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella machine remove}: forgets a machine. */
@Command(
        name = "remove",
        header = "Removes a machine from the cell.",
        description = {"", "A machine whose agent still runs comes back: stop the agent first.", ""},
        footer = {"", "Example:", "  cella machine remove m-042"})
public final class MachineRemoveCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the machine")
    private String name = "";

    @Option(names = "--force", description = "also with tasks on it, which are LOST then")
    private boolean force;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public MachineRemoveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        MachineRemoved removed = cellOption
                .open(terminal)
                .removeMachine(RemoveMachineRequest.newBuilder()
                        .setName(name)
                        .setForce(force)
                        .build());
        output.print(terminal, removed, () -> terminal.print("removed " + name + ", version " + removed.getVersion()));
        return ExitCode.DONE.number();
    }
}
