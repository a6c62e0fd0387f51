package dev.cella.cli.plugin;

import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** {@code --plugin}: jars with the user's own scheduler types. */
public final class PluginOption {
    @Option(
            names = "--plugin",
            paramLabel = "JAR",
            description = "the jar of a scheduler type of your own (docs/schedulers/write-one.md); may be given again")
    private List<String> jars = List.of();

    /** The types of Cella and of the jars. */
    public SchedulerTypes types(Terminal terminal) {
        return SchedulerTypes.with(files(terminal));
    }

    /** The jars. */
    public List<Path> files(Terminal terminal) {
        return jars.stream().map(terminal.environment()::path).toList();
    }

    /** The jars as the user named them. */
    public List<String> jars() {
        return List.copyOf(jars);
    }
}
