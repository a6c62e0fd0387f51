package dev.cella.cli.part;

import static java.util.stream.Collectors.toMap;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import dev.cella.cli.terminal.InputFile;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Located;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code --config} of a command: a flag that is left out takes its value from the environment, otherwise from a file,
 * otherwise its default.
 *
 * <p>The message that the file is read as is its schema. The flag {@code --plan-time-max} of {@code cella scheduler} is its
 * field {@code planTimeMax} and the variable {@code CELLA_SCHEDULER_PLAN_TIME_MAX}. A repeatable flag is a list or a map,
 * whose field has the plural of its name (an s more, unless it ends with one), and has no variable. A flag without a field
 * exists only as a flag; a command reads a field without a flag from {@link #file}.
 */
public final class ConfigurationOption<M extends Message> implements IDefaultValueProvider {
    private static final String EXAMPLE = "docs/operating.md shows a correct file";

    /** The variables that all commands share: the option of that name reads it itself. */
    private static final Map<String, String> SHARED_VARIABLES =
            Map.of("--address", "CELLA_ADDRESS", "--token", "CELLA_TOKEN", "--ca", "CELLA_CA");

    private final M type;
    private final Terminal terminal;

    /** Where the values of options that were not typed came from, by the options' longest names. */
    private final Map<String, String> places = new HashMap<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "YAML or JSON that says the same as the flags; a flag goes before the environment, that before it")
    private @Nullable String config;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    private @Nullable Located<M> file;

    public ConfigurationOption(M type, Terminal terminal) {
        this.type = type;
        this.terminal = terminal;
    }

    /** Connects the commands of a tree that have a file with it. */
    public static void provideDefaults(CommandSpec command) {
        of(command).ifPresent(command::defaultValueProvider);
        command.subcommands().values().forEach(each -> provideDefaults(each.getCommandSpec()));
    }

    /** The file of a command; empty if the command has none. */
    public static Optional<ConfigurationOption<?>> of(CommandSpec command) {
        for (CommandSpec mixin : command.mixins().values()) {
            if (mixin.userObject() instanceof ConfigurationOption<?> configuration) {
                return Optional.of(configuration);
            }
        }
        return Optional.empty();
    }

    /** Where an option was given, for the beginning of a message about it: {@code --lease}, or a place in a file. */
    public String said(String option) {
        return places.getOrDefault(option, option);
    }

    /** Where an option that was not typed was given: a variable, or a place in a file. */
    public Optional<String> place(OptionSpec option) {
        return Optional.ofNullable(places.get(option.longestName()));
    }

    /** The content of the file; empty without a file. */
    public M file() {
        return located().map(Located::message).orElse(type);
    }

    private Optional<Located<M>> located() {
        if (file == null) {
            file = fileName().map(name -> input(name).read(type)).orElse(null);
        }
        return Optional.ofNullable(file);
    }

    private Optional<String> fileName() {
        return Optional.ofNullable(config).or(() -> terminal.environment().variable(variable("--config")));
    }

    private InputFile input(String name) {
        return new InputFile(name, "configuration", EXAMPLE, terminal);
    }

    /** The parser calls this for each option that was not typed. */
    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option) || helpIsAsked()) {
            return null;
        }
        Optional<FieldDescriptor> field = field(option);
        if (field.isEmpty() || isSharedVariableSet(option)) {
            return null;
        }
        if (option.isMultiValue()) {
            setAll(option, field.get());
            return null;
        }
        return fromEnvironment(option).or(() -> fromFile(option, field.get())).orElse(null);
    }

    private boolean helpIsAsked() {
        return command().options().stream()
                .anyMatch(option -> option.usageHelp() && Boolean.TRUE.equals(option.getValue()));
    }

    private boolean isSharedVariableSet(OptionSpec option) {
        return Optional.ofNullable(SHARED_VARIABLES.get(option.longestName()))
                .flatMap(terminal.environment()::variable)
                .isPresent();
    }

    /** The fields of the file, in their order. */
    public List<FieldDescriptor> fields() {
        return type.getDescriptorForType().getFields();
    }

    /** The field of that option in the file, if it has one. */
    public Optional<FieldDescriptor> field(OptionSpec option) {
        String name = option.longestName().substring("--".length()).replace('-', '_');
        boolean takesPlural = option.isMultiValue() && !name.endsWith("s");
        return Optional.ofNullable(type.getDescriptorForType().findFieldByName(takesPlural ? name + "s" : name));
    }

    private Optional<String> fromEnvironment(OptionSpec option) {
        String variable = variable(option.longestName());
        Optional<String> value = terminal.environment().variable(variable);
        value.ifPresent(set -> places.put(option.longestName(), variable));
        return value.map(ConfigurationOption::literally);
    }

    /** The variable that the option is taken from; an option that may be given again has none. */
    public Optional<String> variable(OptionSpec option) {
        return option.isMultiValue()
                ? Optional.empty()
                : Optional.of(SHARED_VARIABLES.getOrDefault(option.longestName(), variable(option.longestName())));
    }

    private String variable(String option) {
        return "CELLA_" + words(command().name()) + words(option.substring(1));
    }

    private static String words(String name) {
        return name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private Optional<String> fromFile(OptionSpec option, FieldDescriptor field) {
        Optional<String> value = located()
                .map(read -> new JsonCodec().writeParameters(read.message()).get(field.getJsonName()));
        value.ifPresent(said -> keepPlace(option, field.getJsonName()));
        return value.map(ConfigurationOption::literally);
    }

    /** The parser replaces variables of its own, so dollar signs are escaped. */
    private static String literally(String value) {
        return value.replace("${", "$${");
    }

    private void setAll(OptionSpec option, FieldDescriptor field) {
        Collection<?> values = (Collection<?>) file().getField(field);
        if (!values.isEmpty()) {
            option.setValue(field.isMapField() ? map(values) : asDeclared(option, values));
            keepPlace(option, field.getJsonName());
        }
    }

    private static Map<String, String> map(Collection<?> entries) {
        return entries.stream().map(MapEntry.class::cast).collect(toMap(entry -> (String) entry.getKey(), entry ->
                (String) entry.getValue()));
    }

    private static Collection<?> asDeclared(OptionSpec option, Collection<?> values) {
        return option.type() == Set.class ? new LinkedHashSet<>(values) : List.copyOf(values);
    }

    private void keepPlace(OptionSpec option, String field) {
        InputFile read = input(fileName().orElseThrow());
        places.put(option.longestName(), read.place(field, located().orElseThrow()));
    }

    private CommandSpec command() {
        return Objects.requireNonNull(command, "the parser sets it");
    }
}
