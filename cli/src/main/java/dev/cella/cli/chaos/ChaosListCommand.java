package dev.cella.cli.chaos;

import dev.cella.chaos.check.Checkers;
import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.chaos.scenario.World;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella chaos list}: scenarios, faults and checkers. */
@Command(
        name = "list",
        header = "Lists the scenarios, the faults and the checkers.",
        footer = {"", "Example:", "  cella chaos list"})
public final class ChaosListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final OutputOption output = new OutputOption();

    public ChaosListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        output.print(terminal, ChaosListCommand::data, this::print);
        return ExitCode.DONE.number();
    }

    private static Map<String, Object> data() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(
                "scenarios",
                scenarios().stream()
                        .map(each -> row("name", each.name(), each.about()))
                        .toList());
        all.put(
                "faults",
                Arrays.stream(FaultKind.values()).map(ChaosListCommand::fault).toList());
        all.put(
                "checkers",
                Checkers.catalogue().stream()
                        .map(each -> row("checker", each.number(), each.holds()))
                        .toList());
        return all;
    }

    private static Map<String, Object> fault(FaultKind kind) {
        Map<String, Object> row = row("fault", kind.words(), kind.does());
        row.put("number", kind.number());
        row.put("heals", kind.heals());
        row.put("worlds", worlds(kind));
        return row;
    }

    private static List<String> worlds(FaultKind kind) {
        return Arrays.stream(World.values())
                .filter(kind::isIn)
                .map(World::words)
                .toList();
    }

    private static String where(FaultKind kind) {
        return worlds(kind).isEmpty() ? "in no world yet" : String.join(", ", worlds(kind));
    }

    private static Map<String, Object> row(String key, String name, String about) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put(key, name);
        row.put("about", about);
        return row;
    }

    private static List<Scenario> scenarios() {
        return ScenarioFiles.SHIPPED.stream()
                .map(name -> ScenarioFiles.shipped(name).orElseThrow())
                .toList();
    }

    private void print() {
        Table table = new Table("KIND", "NAME", "WHAT IT IS");
        scenarios().forEach(each -> table.row("scenario", each.name(), each.about()));
        for (FaultKind kind : FaultKind.values()) {
            table.row(
                    "fault " + kind.number(),
                    kind.words(),
                    kind.does() + "; heals: " + kind.heals() + " (" + where(kind) + ")");
        }
        Checkers.catalogue().forEach(each -> table.row("checker", each.number(), each.holds()));
        table.print(terminal);
    }
}
