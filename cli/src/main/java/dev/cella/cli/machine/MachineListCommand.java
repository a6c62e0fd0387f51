package dev.cella.cli.machine;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.Pages;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.WatchOption;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.MachineList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella machine list}. */
@Command(
        name = "list",
        header = "Lists the machines of the cell.",
        footer = {"", "Examples:", "  cella machine list -o wide", "  cella machine list --watch"})
public final class MachineListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public MachineListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        HttpCell cell = cellOption.open(terminal);
        return watch.run(terminal, page -> {
                    MachineList machines = Pages.machines(cell, ListMachinesRequest.getDefaultInstance());
                    output.print(page, machines, () -> print(machines, page));
                })
                .number();
    }

    private void print(MachineList machines, Terminal page) {
        if (machines.getMachinesCount() == 0) {
            page.say("no machines yet: a cella agent registers the machine it runs on");
        } else {
            MachineListing.print(machines.getMachinesList(), output.isWide(), page, "");
        }
    }
}
