package dev.cella.cli.machine;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.DrainMachineRequest;
import dev.cella.client.proto.Machine;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella machine cordon}: a drain that stops no task, at no time. */
@Command(
        name = "cordon",
        header = "Keeps new tasks off a machine, and every task that is there on it.",
        description = {
            "",
            "No task is stopped or moved, also not after a drain with a deadline that came before. 'cella machine ready'"
                    + " undoes it.",
            ""
        },
        footer = {"", "Example:", "  cella machine cordon m-042"})
public final class MachineCordonCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the machine")
    private String name = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public MachineCordonCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Machine machine = cellOption
                .open(terminal)
                .drainMachine(DrainMachineRequest.newBuilder()
                        .setName(name)
                        .setTasks("keep")
                        .build());
        output.print(terminal, machine, () -> MachineListing.print(List.of(machine), terminal));
        return ExitCode.DONE.number();
    }
}
