package dev.cella.cli.machine;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.Machine;
import dev.cella.client.proto.ReadyMachineRequest;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella machine ready}: undoes a drain. */
@Command(
        name = "ready",
        header = "Lets tasks come to a machine again.",
        footer = {"", "Example:", "  cella machine ready m-042"})
public final class MachineReadyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the machine")
    private String name = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public MachineReadyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Machine machine = cellOption
                .open(terminal)
                .readyMachine(ReadyMachineRequest.newBuilder().setName(name).build());
        output.print(terminal, machine, () -> MachineListing.print(List.of(machine), terminal));
        return ExitCode.DONE.number();
    }
}
