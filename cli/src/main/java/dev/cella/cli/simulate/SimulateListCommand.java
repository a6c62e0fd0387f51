package dev.cella.cli.simulate;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.simulator.experiment.Experiments;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella simulate list}: the available runs and figures. */
@Command(
        name = "list",
        header = "Lists the architectures that can be run and the figures that can be drawn.",
        footer = {"", "Example:", "  cella simulate list"})
public final class SimulateListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final OutputOption output = new OutputOption();

    public SimulateListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Experiments experiments = new Experiments(SchedulerTypes.installed().providers());
        output.print(terminal, () -> data(experiments), () -> print(experiments));
        return ExitCode.DONE.number();
    }

    private static Map<String, Object> data(Experiments experiments) {
        List<Map<String, Object>> architectures = experiments.architectures().stream()
                .map(each -> row(each.label(), each.description()))
                .toList();
        List<Map<String, Object>> figures = experiments.figures().stream()
                .map(each -> row(each.name(), each.title()))
                .toList();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("architectures", architectures);
        all.put("figures", figures);
        return all;
    }

    private static Map<String, Object> row(String name, String description) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", name);
        row.put("description", description);
        return row;
    }

    private void print(Experiments experiments) {
        Table table = new Table("KIND", "NAME", "WHAT IT IS");
        experiments.architectures().forEach(each -> table.row("architecture", each.label(), each.description()));
        experiments.figures().forEach(each -> table.row("figure", each.name(), each.title()));
        table.print(terminal);
    }
}
