package dev.cella.cli;

import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.cella.cli.part.ConfigurationOption;
import dev.cella.client.proto.ReplicaConfiguration;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.plugin.SchedulerType;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * {@code docs/reference-configuration.md}: the fields of the three files with their flags and variables from the commands,
 * their meaning and defaults from the comments, and the options of the scheduler types from the types.
 */
final class ConfigurationPage {
    private final CommandLine line;
    private final ProtoComments comments = ProtoComments.of("configuration.proto");

    ConfigurationPage(CommandLine line) throws IOException {
        this.line = line;
    }

    String text() {
        return """
                # Configuration: servers, schedulers, agents

                This page lists every setting of the three long-running commands, and the options of the scheduler types. It is made
                from the commands and from the contract of their files (`configuration.proto`), and a test holds it.
                [operating.md](operating.md) shows complete files and what to do with them.

                A flag overrides the environment, and the environment overrides the file. The file is YAML or JSON, named with
                `--config` or with `CELLA_SERVER_CONFIG`, `CELLA_SCHEDULER_CONFIG`, `CELLA_AGENT_CONFIG`. A flag that may be given
                again is a list or a map in the file, and has no variable. Faults in a file are reported with line, column and the
                nearest right name.

                """
                + "## cella server\n\n"
                + fields("server")
                + "### ReplicaConfiguration\n\nEach element of `replicas`.\n\n"
                + replicas()
                + "## cella scheduler\n\n"
                + fields("scheduler")
                + "## cella agent\n\n"
                + fields("agent")
                + "## Options of the scheduler types\n\n"
                + "`--option NAME=VALUE` of `cella scheduler` and `options` in its file. `cella scheduler types --plugin JAR` prints\n"
                + "the same for types of your own.\n\n"
                + types();
    }

    private String fields(String command) {
        CommandSpec spec = Objects.requireNonNull(line.getSubcommands().get(command), command)
                .getCommandSpec();
        ConfigurationOption<?> file = ConfigurationOption.of(spec).orElseThrow();
        MarkdownTable table = new MarkdownTable("field", "flag", "environment", "type", "default", "meaning");
        for (FieldDescriptor field : file.fields()) {
            Optional<OptionSpec> flag = spec.options().stream()
                    .filter(option -> file.field(option).equals(Optional.of(field)))
                    .findFirst();
            table.row(
                    "`" + field.getJsonName() + "`",
                    flag.map(ConfigurationPage::flag).orElse(""),
                    flag.flatMap(file::variable).map(name -> "`" + name + "`").orElse(""),
                    FieldTypes.of(field),
                    comments.fallback(field).orElseThrow(() -> new AssertionError(field + " names no default")),
                    comments.meaning(field));
        }
        return table.toString();
    }

    private static String flag(OptionSpec flag) {
        String label = flag.arity().max() == 0 ? "" : " " + flag.paramLabel();
        return "`" + flag.longestName() + label + "`";
    }

    private String replicas() {
        MarkdownTable table = new MarkdownTable("field", "meaning");
        ReplicaConfiguration.getDescriptor()
                .getFields()
                .forEach(field -> table.row("`" + field.getJsonName() + "`", comments.meaning(field)));
        return table.toString();
    }

    private static String types() {
        MarkdownTable table = new MarkdownTable("type", "option", "default", "meaning");
        for (SchedulerType type : SchedulerTypes.installed().all()) {
            for (SchedulerOption option : type.provider().options()) {
                table.row(
                        type.name(),
                        "`" + option.name() + "`",
                        option.defaultValue().isEmpty() ? "none" : "`" + option.defaultValue() + "`",
                        option.description());
            }
        }
        return table.toString();
    }
}
