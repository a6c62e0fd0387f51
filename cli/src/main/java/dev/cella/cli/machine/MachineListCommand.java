package dev.cella.cli.machine;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.Pages;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.MachineList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella machine list}. */
@Command(
        name = "list",
        header = "Lists the machines of the cell.",
        footer = {"", "Example:", "  cella machine list"})
public final class MachineListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public MachineListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        MachineList machines = Pages.machines(cellOption.open(terminal), ListMachinesRequest.getDefaultInstance());
        output.print(terminal, machines, () -> print(machines));
        return ExitCode.DONE.number();
    }

    private void print(MachineList machines) {
        if (machines.getMachinesCount() == 0) {
            terminal.say("no machines yet: a cella agent registers the machine it runs on");
        } else {
            MachineTable.print(machines.getMachinesList(), terminal);
        }
    }
}
