package dev.cella.cli.simulate;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.simulator.experiment.Experiments;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code cella simulate list}: what can be run and drawn. */
@Command(
        name = "list",
        header = "Lists the architectures that can be run and the figures that can be drawn.",
        footer = {"", "Example:", "  cella simulate list"})
public final class SimulateListCommand implements Callable<Integer> {
    private final Terminal terminal;

    public SimulateListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Experiments experiments = new Experiments(SchedulerTypes.installed().providers());
        Table table = new Table("KIND", "NAME", "WHAT IT IS");
        experiments.architectures().forEach(each -> table.row("architecture", each.label(), each.description()));
        experiments.figures().forEach(each -> table.row("figure", each.name(), each.title()));
        table.print(terminal);
        return ExitCode.DONE.number();
    }
}
