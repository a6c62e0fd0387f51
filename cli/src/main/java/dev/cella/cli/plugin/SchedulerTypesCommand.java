package dev.cella.cli.plugin;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.plugin.SchedulerType;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella scheduler types}: the available types and their options. */
@Command(
        name = "types",
        header = "Lists the types of scheduler and their options.",
        footer = {"", "Example:", "  cella scheduler types --plugin my-scheduler.jar"})
public final class SchedulerTypesCommand implements Callable<Integer> {
    private static final String CELLA = "cella";

    private final Terminal terminal;

    @Mixin
    private final PluginOption plugins = new PluginOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public SchedulerTypesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        SchedulerTypes types = plugins.types(terminal);
        output.print(terminal, () -> data(types), () -> print(types));
        return ExitCode.DONE.number();
    }

    private static Map<String, Object> data(SchedulerTypes types) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (SchedulerType type : types.all()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("type", type.name());
            row.put("from", from(type));
            row.put(
                    "options",
                    type.provider().options().stream()
                            .map(SchedulerTypesCommand::option)
                            .toList());
            all.add(row);
        }
        return Map.of("types", all);
    }

    private static Map<String, Object> option(SchedulerOption option) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", option.name());
        row.put("default", option.defaultValue());
        row.put("description", option.description());
        return row;
    }

    private void print(SchedulerTypes types) {
        Table table = new Table("TYPE", "OPTION", "DEFAULT", "WHAT IT DOES", "FROM");
        for (SchedulerType type : types.all()) {
            if (type.provider().options().isEmpty()) {
                table.row(type.name(), "", "", "", from(type));
            }
            for (SchedulerOption option : type.provider().options()) {
                table.row(type.name(), option.name(), option.defaultValue(), option.description(), from(type));
            }
        }
        table.print(terminal);
    }

    private static String from(SchedulerType type) {
        return type.jar().map(jar -> String.valueOf(jar.getFileName())).orElse(CELLA);
    }
}
