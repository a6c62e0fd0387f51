package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Every {@code cella} command that a page, an example or a comment of one shows, wherever it stands, is one that the command
 * line takes: its words, flags and values. Those of the tours, of write-one.md and of errors.md are run as well, by {@link
 * ToursTest}, {@link WriteOneTest} and {@link ErrorsTest}; what takes more than one machine, or minutes, is parsed here alone.
 */
final class CommandsOnPagesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern SPAN = Pattern.compile("(?<!`)`(?:\\./)?cella ([^`]+)`(?!`)");
    private static final Pattern LINE = Pattern.compile("(?m)^ *(?:# *)?(?:\\$ )?(?:\\./)?cella (\\S.*)$");
    private static final Pattern FENCE = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```");
    private static final Pattern FILE = Pattern.compile("(?ms)```yaml\n((?:replicas|cell|address):? .*?)```");

    private static final Pattern WITHIN = Pattern.compile("/opt/cella/bin/cella ([^|\n]*)");
    private static final Pattern START = Pattern.compile("(?m)^ExecStart=/opt/cella/bin/cella (.*)$");

    /** A file below a folder of the distribution. */
    private static final Pattern READ = Pattern.compile("\\$home/([a-z]+)/");

    /** On purpose: the pages that say what comes of it. */
    private static final Set<String> MISTYPED = Set.of("job lst");

    /** The first is typed whole by a test of its own; the second tells of what was. */
    private static final Set<String> ELSEWHERE = Set.of("errors.md", "CHANGELOG.md");

    @TempDir
    private Path folder;

    @Test
    void everyCommand_isOne() throws IOException {
        writeFiles();
        Map<String, Path> commands = commands();
        assertThat(commands)
                .hasSizeGreaterThan(60)
                .containsKeys("demo --keep", "server --config server.yaml --replica r1 --data data/r1");
        List<String> wrong = new ArrayList<>();
        commands.forEach((command, page) ->
                refusal(command).ifPresent(why -> wrong.add(page + ": cella " + command + ": " + why)));
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyUnit_startsACommandWithAFileThatThereIs() throws IOException {
        Path deploy = ROOT.resolve("distribution/deploy");
        List<String> started = new ArrayList<>();
        try (Stream<Path> units = Files.list(deploy.resolve("systemd"))) {
            for (Path unit : units.toList()) {
                Matcher start = START.matcher(Files.readString(unit));
                assertThat(start.find()).as(unit.toString()).isTrue();
                started.add(start.group(1)
                        .replace("%i", "batch")
                        .replace("/etc/cella", deploy.resolve("etc").toString()));
            }
        }
        assertThat(started)
                .hasSize(3)
                .allSatisfy(command -> assertThat(refusal(command)).as(command).isEmpty());
    }

    /** Without that line, systemd gives up after five starts in ten seconds. */
    @Test
    void everyUnitThatIsAlwaysRestarted_isSoHoweverOftenItFails() throws IOException {
        List<String> restarted = new ArrayList<>();
        try (Stream<Path> units = Files.list(ROOT.resolve("distribution/deploy/systemd"))) {
            for (Path unit : units.toList()) {
                String text = Files.readString(unit);
                if (text.contains("\nRestart=always\n")) {
                    restarted.add(text);
                }
            }
        }
        assertThat(restarted)
                .hasSize(2)
                .allSatisfy(unit -> assertThat(unit).containsPattern("\\[Unit\\][^\\[]*\nStartLimitIntervalSec=0\n"));
    }

    /** A command without its files ends early, and then keeps few classes. */
    @Test
    void everyFolderThatTheLauncherReads_isInTheImage() throws IOException {
        String image = Files.readString(ROOT.resolve("distribution/deploy/container/Containerfile"));
        assertThat(READ.matcher(Files.readString(ROOT.resolve("distribution/cella")))
                        .results()
                        .map(found -> found.group(1)))
                .contains("lib", "examples")
                .allSatisfy(read -> assertThat(image).contains("COPY " + read + " /opt/cella/" + read));
    }

    /** Also the commands within the scripts of the services that make certificates and tokens. */
    @Test
    void everyServiceOfTheComposeFile_startsACommand_withAFileThatThereIs() throws IOException {
        JsonNode compose = composeFile();
        Files.writeString(
                folder.resolve("server.yaml"),
                compose.at("/configs/server/content").asText());
        List<String> started = new ArrayList<>();
        for (JsonNode service : compose.get("services")) {
            started.addAll(startedBy(service));
        }
        assertThat(started)
                .hasSize(8)
                .allSatisfy(command -> assertThat(refusal(command.replace("/etc/cella/", folder + "/")))
                        .as(command)
                        .isEmpty());
        assertThat(compose.get("services").properties().stream().map(Map.Entry::getKey))
                .contains("r1", "r2", "r3", "batch", "service");
    }

    @Test
    void keyOfTheComposedAuthority_isInAVolumeOfItsMakerAlone() throws IOException {
        JsonNode services = composeFile().get("services");
        List<String> mounts = services.properties().stream()
                .filter(service -> service.getValue().path("volumes").toString().contains("authority:"))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(mounts).containsExactly("certificates");
        assertThat(startedBy(services.get("certificates")))
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("tls init /authority ");
        assertThat(services.at("/certificates/command/1").asText()).doesNotContain("ca.key");
    }

    private static JsonNode composeFile() throws IOException {
        String text = Files.readString(ROOT.resolve("distribution/deploy/container/compose.yaml"));
        return new ObjectMapper().valueToTree(new Yaml().load(text));
    }

    private static List<String> startedBy(JsonNode service) {
        List<String> words = new ArrayList<>();
        service.path("command").forEach(word -> words.add(word.asText()));
        if (!service.has("entrypoint")) {
            return words.isEmpty() ? List.of() : List.of(String.join(" ", words));
        }
        return WITHIN.matcher(words.get(1).replace("$$name", "batch").replace("\\\n", " "))
                .results()
                .map(found -> found.group(1).strip().replaceAll(" +", " "))
                .toList();
    }

    @Test
    void everyCommand_hasAnExampleInItsHelp_thatIsOne() throws IOException {
        writeFiles();
        List<String> wrong = new ArrayList<>();
        leaves(new CellaCommand(new TypedCommand(folder).terminal()).line()).forEach(leaf -> {
            String name = leaf.getCommandSpec().qualifiedName();
            List<String> examples = Stream.of(
                            leaf.getCommandSpec().usageMessage().footer())
                    .filter(line -> line.startsWith("  ") && (line + " ").contains(name + " "))
                    .toList();
            if (examples.isEmpty()) {
                wrong.add(name + " has no example");
            }
            examples.stream()
                    .filter(line -> line.startsWith("  cella "))
                    .map(line -> line.substring("  cella ".length()).split(" {2,}|: | > | \\| ", -1)[0])
                    .forEach(example ->
                            refusal(example).ifPresent(why -> wrong.add(name + ": " + example + ": " + why)));
        });
        assertThat(wrong).isEmpty();
    }

    /** What changes while one looks. The lists of scenarios and of architectures come with the command. */
    @Test
    void everyListOfACell_canBeWatched() {
        assertThat(leaves(new CellaCommand(new TypedCommand(folder).terminal()).line())
                        .map(CommandLine::getCommandSpec)
                        .filter(spec -> spec.optionsMap().containsKey("--address")
                                && spec.usageMessage().header()[0].startsWith("Lists ")
                                && !spec.optionsMap().containsKey("--watch"))
                        .map(CommandSpec::qualifiedName))
                .isEmpty();
    }

    /** Logs are the tasks' own bytes, top is for eyes, and an agent prints its log. */
    @Test
    void everyCommandThatAsksACell_answersAsATable_asJson_orAsYaml() {
        assertThat(leaves(new CellaCommand(new TypedCommand(folder).terminal()).line())
                        .map(CommandLine::getCommandSpec)
                        .filter(leaf -> leaf.findOption("--address") != null && leaf.findOption("--output") == null)
                        .map(CommandSpec::qualifiedName))
                .containsExactlyInAnyOrder("cella job logs", "cella top", "cella agent");
    }

    private static Stream<CommandLine> leaves(CommandLine line) {
        return line.getSubcommands().isEmpty()
                ? Stream.of(line)
                : line.getSubcommands().values().stream()
                        .filter(command ->
                                !command.getCommandSpec().usageMessage().hidden())
                        .flatMap(CommandsOnPagesTest::leaves);
    }

    /** The configurations that docs/operating.md shows, under the names by which its commands call them. */
    private void writeFiles() throws IOException {
        Matcher files = FILE.matcher(Files.readString(ROOT.resolve("docs/operating.md")));
        for (String name : List.of("server.yaml", "scheduler.yaml")) {
            assertThat(files.find()).as(name).isTrue();
            Files.writeString(folder.resolve(name), files.group(1));
        }
    }

    private static Map<String, Path> commands() throws IOException {
        Map<String, Path> commands = new TreeMap<>();
        for (Path page : pages()) {
            String text = Files.readString(page);
            if (page.toString().endsWith(".md")) {
                FENCE.matcher(text)
                        .results()
                        .filter(block -> !block.group(1).equals("text")
                                && !block.group(1).equals("yaml"))
                        .forEach(block -> find(LINE, block.group(2), ROOT.relativize(page), commands));
                String prose = FENCE.matcher(text).replaceAll("").replaceAll("\\s+", " ");
                find(SPAN, prose, ROOT.relativize(page), commands);
            } else {
                find(LINE, text, ROOT.relativize(page), commands);
            }
        }
        return commands;
    }

    /** What stands behind two blanks explains the command; the pages' own words for a line of output begin so too. */
    private static void find(Pattern pattern, String text, Path page, Map<String, Path> commands) {
        pattern.matcher(text)
                .results()
                .map(found -> found.group(1).split(" {2,}", -1)[0].strip().replaceFirst("[:.,]$", ""))
                .filter(command -> !MISTYPED.contains(command))
                .forEach(command -> commands.putIfAbsent(command, page));
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> examples = Files.walk(ROOT.resolve("examples"));
                Stream<Path> top = Files.list(ROOT)) {
            return Stream.of(docs, examples, top)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().matches(".*\\.(md|yaml|py)"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .filter(file -> !ELSEWHERE.contains(file.getFileName().toString()))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }

    /** A command may be named without what it is done to, as in "cella job run says", or with a file of the reader's. */
    private Optional<String> refusal(String command) {
        try {
            String[] arguments = command.split(" ");
            new CellaCommand(new TypedCommand(folder).terminal())
                    .lineFor(arguments)
                    .parseArgs(arguments);
            return Optional.empty();
        } catch (MissingParameterException named) {
            return Optional.empty();
        } catch (ParameterException wrong) {
            if (wrong.getCause() instanceof CommandFailure file
                    && file.errors().toString().contains("there is no such file")) {
                return Optional.empty();
            }
            return Optional.of(String.valueOf(wrong.getMessage()));
        }
    }
}
