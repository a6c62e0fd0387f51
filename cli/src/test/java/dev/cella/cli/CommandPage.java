package dev.cella.cli;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import dev.cella.cli.terminal.ExitCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code docs/reference-command.md}, made from the commands' own model. */
final class CommandPage {
    private static final int SHARED_BY_MIN = 4;

    private final List<CommandSpec> commands;
    private final Map<String, OptionSpec> shared;

    CommandPage(CommandLine line) {
        this.commands = commands(line).toList();
        this.shared = shared(commands);
    }

    private static Stream<CommandSpec> commands(CommandLine line) {
        CommandSpec own = line.getCommandSpec();
        Stream<CommandSpec> below = line.getSubcommands().values().stream()
                .filter(each -> !each.getCommandSpec().usageMessage().hidden())
                .flatMap(CommandPage::commands);
        return own.userObject() instanceof Callable ? Stream.concat(Stream.of(own), below) : below;
    }

    /** Options that several commands have with the same meaning. */
    private static Map<String, OptionSpec> shared(List<CommandSpec> commands) {
        Map<String, Long> uses =
                commands.stream().flatMap(CommandPage::visible).collect(groupingBy(CommandPage::row, counting()));
        Map<String, OptionSpec> shared = new LinkedHashMap<>();
        commands.stream()
                .flatMap(CommandPage::visible)
                .filter(option -> uses.getOrDefault(row(option), 0L) >= SHARED_BY_MIN)
                .forEach(option -> shared.putIfAbsent(row(option), option));
        return shared;
    }

    private static Stream<OptionSpec> visible(CommandSpec command) {
        return command.options().stream().filter(option -> !option.hidden() && !option.usageHelp());
    }

    private static String row(OptionSpec option) {
        return names(option) + meaning(option);
    }

    String text() {
        return """
                # The command `cella`

                This page lists every command with its arguments and options. It is made from the commands themselves, and a test
                holds it; `cella COMMAND --help` prints the same. [errors.md](errors.md) shows what a command says when
                something is wrong.

                """
                + exitCodes()
                + variables()
                + "## Options of several commands\n\nEvery command also has `-h`, `--help`.\n\n"
                + options(shared.values())
                + "## The commands\n\n"
                + index()
                + commands.stream().map(this::section).collect(joining());
    }

    private static String exitCodes() {
        MarkdownTable table = new MarkdownTable("exit code", "meaning");
        for (ExitCode code : ExitCode.values()) {
            table.row(
                    Integer.toString(code.number()),
                    switch (code) {
                        case DONE -> "done";
                        case FAILED -> "it failed, or a task failed for good";
                        case NOT_PLACED -> "a job could not be placed";
                        case USAGE -> "wrong usage";
                        case NO_CELL -> "no cell answers";
                        case INTERRUPTED -> "interrupted with Ctrl-C";
                    });
        }
        return "## Exit codes\n\n" + table + "`cella chaos` has [codes of its own](chaos.md).\n\n";
    }

    private static String variables() {
        MarkdownTable table = new MarkdownTable("variable", "meaning");
        table.row("`CELLA_ADDRESS`, `CELLA_TOKEN`, `CELLA_CA`", "the values of `--address`, `--token`, `--ca`");
        table.row("`CELLA_DEBUG`", "any value: a failure also prints its stack trace");
        table.row("`NO_COLOR`", "any value: no colours");
        return "## Environment\n\n"
                + table
                + "`cella server`, `cella scheduler` and `cella agent` take each option from a variable too: see\n"
                + "[reference-configuration.md](reference-configuration.md).\n\n";
    }

    private String index() {
        MarkdownTable table = new MarkdownTable("command", "does");
        for (CommandSpec command : commands) {
            String name = command.qualifiedName();
            table.row("[" + name + "](#" + name.replace(' ', '-') + ")", header(command));
        }
        return table.toString();
    }

    private static String header(CommandSpec command) {
        return command.usageMessage().header()[0];
    }

    private String section(CommandSpec command) {
        StringBuilder text = new StringBuilder("## " + command.qualifiedName() + "\n\n" + header(command) + "\n");
        paragraphs(command)
                .forEach(paragraph -> text.append("\n").append(paragraph).append("\n"));
        text.append("\n");
        List<OptionSpec> own = visible(command)
                .filter(option -> !shared.containsKey(row(option)))
                .toList();
        if (!own.isEmpty() || !command.positionalParameters().isEmpty()) {
            MarkdownTable table = new MarkdownTable("argument or option", "meaning");
            command.positionalParameters().forEach(each -> table.row("`" + each.paramLabel() + "`", meaning(each)));
            own.forEach(option -> table.row(names(option), meaning(option)));
            text.append(table);
        }
        String also = visible(command)
                .filter(option -> shared.containsKey(row(option)))
                .map(option -> "`" + option.longestName() + "`")
                .collect(joining(", "));
        if (!also.isEmpty()) {
            text.append("Also ").append(also).append(".\n\n");
        }
        return text + examples(command);
    }

    private static List<String> paragraphs(CommandSpec command) {
        List<String> paragraphs = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        for (String line : command.usageMessage().description()) {
            if (line.isBlank()) {
                close(open, paragraphs);
            } else {
                open.append(open.isEmpty() ? "" : " ").append(line.strip());
            }
        }
        close(open, paragraphs);
        return paragraphs;
    }

    private static void close(StringBuilder open, List<String> paragraphs) {
        if (!open.isEmpty()) {
            paragraphs.add(open.toString());
            open.setLength(0);
        }
    }

    private static String examples(CommandSpec command) {
        String examples = Stream.of(command.usageMessage().footer())
                .filter(line -> line.startsWith("  "))
                .map(line -> line.substring(2) + "\n")
                .collect(joining());
        return examples.isEmpty() ? "" : "```text\n" + examples + "```\n\n";
    }

    private static String options(Iterable<OptionSpec> options) {
        MarkdownTable table = new MarkdownTable("option", "meaning");
        options.forEach(option -> table.row(names(option), meaning(option)));
        return table.toString();
    }

    private static String names(OptionSpec option) {
        String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        return Set.of(option.names()).stream()
                        .sorted((one, other) -> one.length() - other.length())
                        .map(name -> "`" + name + (name.equals(option.longestName()) ? label : "") + "`")
                        .collect(joining(", "))
                + (option.required() ? ", required" : "");
    }

    private static String meaning(ArgSpec argument) {
        return String.join(" ", argument.description());
    }
}
