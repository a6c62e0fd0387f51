package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/schedulers/write-one.md}, followed to the letter: its commands are typed one after another, from the new project
 * to its scheduler at work in a cell. The examples are built and run beside it, and the page's snippets are theirs.
 */
@EnabledOnOs(OS.LINUX)
final class WriteOneTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs/schedulers/write-one.md");
    private static final Path EXAMPLES = ROOT.resolve("examples");
    private static final List<String> EXAMPLE_TYPES = List.of("spare-core", "staggered");
    private static final List<String> EXAMPLE_FOLDERS = List.of("plugin-scheduler", "staggered-scheduler");
    private static final String CELLA = "cella ";

    @TempDir
    private Path home;

    private Path folder = Path.of("");

    @Test
    @Timeout(300)
    void thePage_typedFromTopToBottom_runsTheSchedulerInACell() throws Exception {
        List<String> commands = blocks("console")
                .flatMap(String::lines)
                .map(line -> line.substring("$ ".length()))
                .toList();
        assertThat(commands)
                .startsWith(
                        "cella scheduler new mine",
                        "cd mine",
                        "mvn verify",
                        "cella dev --plugin target/mine-scheduler.jar",
                        "cella job run job.yaml --wait");
        OutsideRepository repository = OutsideRepository.distributed();
        folder = home;
        type("scheduler new mine --repository " + repository.folder());
        folder = home.resolve("mine");
        assertThat(Files.readString(folder.resolve("pom.xml")))
                .contains(repository.folder().toUri().toString());
        repository.maven(all(folder), List.of("verify"));
        try (DevProcess dev = DevProcess.start(home, plugins())) {
            assertThat(dev.lines())
                    .anyMatch(line -> line.matches(" +schedulers .*\\bmine\\b.*\\bspare-core\\b.*\\bstaggered\\b.*"));
            for (String command : commands.subList(4, commands.size())) {
                assertThat(command).startsWith(CELLA);
                assertThat(type(command.substring(CELLA.length()))).as(command).isNotEmpty();
            }
            assertThat(type("job logs try-mine --tail 1")).contains("task 0 was placed by mine");
            for (int example = 0; example < EXAMPLE_TYPES.size(); example++) {
                Path job = EXAMPLES.resolve(EXAMPLE_FOLDERS.get(example)).resolve("job.yaml");
                assertThat(type("job run " + job + " --wait")).contains("FINISHED");
            }
            dev.stop();
        }
    }

    /** A project of the new one and the examples, because a Maven that starts once takes a third of the time of three. */
    private Path all(Path generated) throws IOException {
        List<Path> modules = new ArrayList<>(List.of(generated));
        EXAMPLE_FOLDERS.forEach(example -> modules.add(EXAMPLES.resolve(example)));
        Path together = Files.createDirectory(home.resolve("together"));
        String lines = modules.stream()
                .map(module -> "<module>" + together.relativize(module) + "</module>")
                .collect(Collectors.joining());
        Files.writeString(together.resolve("pom.xml"), """
                <project><modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>together</artifactId>
                <version>1</version><packaging>pom</packaging><modules>%s</modules></project>
                """.formatted(lines));
        return together;
    }

    private String[] plugins() {
        List<String> arguments = new ArrayList<>(List.of("--port", "0", "--plugin"));
        arguments.add(folder.resolve("target/mine-scheduler.jar").toString());
        for (int example = 0; example < EXAMPLE_TYPES.size(); example++) {
            Path target = EXAMPLES.resolve(EXAMPLE_FOLDERS.get(example)).resolve("target");
            arguments.add("--plugin");
            arguments.add(target.resolve(EXAMPLE_TYPES.get(example) + "-scheduler.jar")
                    .toString());
        }
        return arguments.toArray(String[]::new);
    }

    private String type(String command) {
        TypedCommand typed = new TypedCommand(folder, home);
        int code = new CellaCommand(typed.terminal()).run(command.split(" "));
        assertThat(code).as(command + typed.err()).isZero();
        return typed.out();
    }

    /** Somebody who updates Cella and uses what is new in it builds against the newer jar, also of the same version. */
    @Test
    @Timeout(300)
    void anotherBuildOfTheSameVersion_isTheOneThatASchedulerIsBuiltAgainst() throws Exception {
        OutsideRepository repository = OutsideRepository.distributed();
        folder = home;
        type("scheduler new mine --repository " + repository.folder());
        repository.maven(home.resolve("mine"), List.of("compile"));
        assertThat(repository.fetched()).hasSameBinaryContentAs(repository.built());

        repository.rebuild();

        repository.maven(home.resolve("mine"), List.of("compile"));
        assertThat(repository.fetched()).hasSameBinaryContentAs(repository.built());
    }

    @Test
    void theSnippets_areTheExamples() throws IOException {
        String examples = sources();
        assertThat(blocks("java")).hasSizeGreaterThan(3).allMatch(examples::contains);
        String pom = Files.readString(EXAMPLES.resolve("plugin-scheduler/pom.xml"));
        assertThat(blocks("xml")).isNotEmpty().allMatch(pom::contains);
    }

    /** The jars of a checkout are in a folder that ./cella makes. */
    @Test
    void theCommandOfACheckout_isInTheExamplesToo() throws IOException {
        String command = "mvn verify -Dcella.repository=file://$(cd ../.. && pwd)/.cella/maven";
        assertThat(Files.readString(PAGE)).contains("`" + command + "`");
        for (String example : EXAMPLE_FOLDERS) {
            assertThat(EXAMPLES.resolve(example).resolve("pom.xml")).content().contains(command + " -->");
        }
    }

    private static Stream<String> blocks(String language) throws IOException {
        String page = Files.readString(PAGE);
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map((MatchResult block) -> block.group(1));
    }

    private static String sources() throws IOException {
        StringBuilder sources = new StringBuilder();
        for (String example : EXAMPLE_FOLDERS) {
            try (Stream<Path> files = Files.walk(EXAMPLES.resolve(example).resolve("src"))) {
                for (Path file : files.filter(path -> path.toString().endsWith(".java"))
                        .sorted()
                        .toList()) {
                    sources.append(Files.readString(file));
                }
            }
        }
        return sources.toString();
    }
}
