package dev.cella.cli.part;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.cella.cli.terminal.TypedCommand;
import dev.cella.client.proto.AgentConfiguration;
import dev.cella.client.proto.SchedulerConfiguration;
import dev.cella.client.proto.ServerConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Where an option is taken from; and that the commands and their files name the same ones. */
final class ConfigurationOptionTest {
    private static final Set<String> TYPED_ALONE =
            Set.of("--token-file", "--config", "--help", "--until-input-ends", "--rehearse", "--chaos");

    @TempDir
    private Path folder;

    /** A command as the three are, with an option of each kind. */
    @CommandLine.Command(name = "scheduler")
    private static final class Scheduler {
        @Mixin
        private final ConfigurationOption<SchedulerConfiguration> configuration;

        @Option(names = "--type", defaultValue = "batch")
        private String type = "";

        @Option(names = "--seed")
        private long seed;

        @Option(names = "--plugin")
        private List<String> plugins = List.of();

        @Option(names = "--option")
        private Map<String, String> set = Map.of();

        @Option(names = "--address")
        private String address = "";

        Scheduler(TypedCommand typed) {
            this.configuration =
                    new ConfigurationOption<>(SchedulerConfiguration.getDefaultInstance(), typed.terminal());
        }
    }

    private Scheduler parse(Map<String, String> variables, String... arguments) {
        Scheduler command = new Scheduler(new TypedCommand(folder, folder, variables));
        CommandLine line = new CommandLine(command);
        ConfigurationOption.provideDefaults(line.getCommandSpec());
        line.parseArgs(arguments);
        return command;
    }

    private void write(String text) throws IOException {
        Files.writeString(folder.resolve("scheduler.yaml"), text);
    }

    @Test
    void flag_overridesTheEnvironment_thatTheFile_thatTheDefault() throws IOException {
        write("type: inFile");
        Map<String, String> variables = Map.of("CELLA_SCHEDULER_TYPE", "inEnvironment");

        assertThat(parse(variables, "--config", "scheduler.yaml", "--type", "typed").type)
                .isEqualTo("typed");
        assertThat(parse(variables, "--config", "scheduler.yaml").type).isEqualTo("inEnvironment");
        assertThat(parse(Map.of(), "--config", "scheduler.yaml").type).isEqualTo("inFile");
        assertThat(parse(Map.of()).type).isEqualTo("batch");
    }

    @Test
    void theFile_mayBeNamedInTheEnvironment() throws IOException {
        write("seed: 7");

        assertThat(parse(Map.of("CELLA_SCHEDULER_CONFIG", "scheduler.yaml")).seed)
                .isEqualTo(7);
    }

    @Test
    void listsAndMaps_areTakenWholeFromTheFile_orWholeFromWhatIsTyped() throws IOException {
        write("plugins: ['a,b.jar', c.jar]\noptions: {draws: 2, placement: best-fit}");

        Scheduler inFile = parse(Map.of(), "--config", "scheduler.yaml");
        assertThat(inFile.plugins).containsExactly("a,b.jar", "c.jar");
        assertThat(inFile.set).isEqualTo(Map.of("draws", "2", "placement", "best-fit"));
        Scheduler typed = parse(Map.of(), "--config", "scheduler.yaml", "--plugin", "d.jar", "--option", "draws=3");
        assertThat(typed.plugins).containsExactly("d.jar");
        assertThat(typed.set).isEqualTo(Map.of("draws", "3"));
    }

    @Test
    void fileContent_isTakenLiterally() throws IOException {
        write("type: '${sys:java.version}'");

        assertThat(parse(Map.of(), "--config", "scheduler.yaml").type).isEqualTo("${sys:java.version}");
    }

    /** The command itself asks for it, and says of its words where they stand. */
    @Test
    void theVariableOfAllCommands_goesBeforeTheFile() throws IOException {
        write("address: inFile");

        assertThat(parse(Map.of(), "--config", "scheduler.yaml").address).isEqualTo("inFile");
        assertThat(parse(Map.of("CELLA_ADDRESS", "inEnvironment"), "--config", "scheduler.yaml").address)
                .isEmpty();
    }

    @Test
    void whereItWasSaid_isAFlag_aVariable_orAPlaceInTheFile() throws IOException {
        write("# two lines\ntype: inFile\nplugins:\n  - a.jar\n");

        Scheduler command = parse(Map.of("CELLA_SCHEDULER_SEED", "7"), "--config", "scheduler.yaml");
        assertThat(command.configuration.said("--type")).isEqualTo("scheduler.yaml:2:7: type");
        assertThat(command.configuration.said("--plugin")).isEqualTo("scheduler.yaml:3:1: plugins");
        assertThat(command.configuration.said("--seed")).isEqualTo("CELLA_SCHEDULER_SEED");
        assertThat(command.configuration.said("--address")).isEqualTo("--address");
    }

    private record Part(Callable<Integer> command, Message file, Set<String> fileAlone) {
        @Override
        public String toString() {
            return command.getClass().getSimpleName();
        }
    }

    static Stream<Part> parts() {
        TypedCommand typed = new TypedCommand(Path.of("."));
        return Stream.of(
                new Part(
                        new ServerCommand(typed.terminal()),
                        ServerConfiguration.getDefaultInstance(),
                        Set.of("replicas", "log_segment_bytes", "log_entries_kept", "checkpoint_log_bytes")),
                new Part(new SchedulerCommand(typed.terminal()), SchedulerConfiguration.getDefaultInstance(), Set.of()),
                new Part(new AgentCommand(typed.terminal()), AgentConfiguration.getDefaultInstance(), Set.of()));
    }

    @ParameterizedTest
    @MethodSource("parts")
    void everyFlagHasItsField_andEveryFieldItsFlag(Part part) {
        CommandSpec command = new CommandLine(part.command).getCommandSpec();
        ConfigurationOption<?> configuration = ConfigurationOption.of(command).orElseThrow();

        Set<String> fields = command.options().stream()
                .filter(option -> !TYPED_ALONE.contains(option.longestName()))
                .map(option -> fieldOf(configuration, option))
                .map(FieldDescriptor::getName)
                .collect(Collectors.toSet());

        fields.addAll(part.fileAlone);
        assertThat(part.file.getDescriptorForType().getFields())
                .extracting(FieldDescriptor::getName)
                .containsExactlyInAnyOrderElementsOf(fields);
    }

    private static FieldDescriptor fieldOf(ConfigurationOption<?> configuration, OptionSpec option) {
        return configuration
                .field(option)
                .orElseThrow(() -> new AssertionError(option.longestName() + " cannot be said in the file"));
    }
}
