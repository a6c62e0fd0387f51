package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/schedulers/write-one.md}, followed to the letter: its commands are typed one after another, from the build of
 * the outside project to its scheduler at work in a cell, and its snippets are the example's.
 */
@EnabledOnOs(OS.LINUX)
final class WriteOneTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path EXAMPLE = ROOT.resolve("examples/plugin-scheduler");
    private static final String PLUGIN = "examples/plugin-scheduler/target/spare-core-scheduler.jar";
    private static final String INSTALL = "mvn -Dquick install";
    private static final String MAVEN = "mvn ";
    private static final String DEV = "./cella dev ";
    private static final String CELLA = "./cella ";

    @TempDir
    private Path home;

    @Test
    @Timeout(300)
    void thePage_typedFromTopToBottom_runsTheSchedulerInACell() throws Exception {
        List<String> commands = blocks("console")
                .flatMap(String::lines)
                .map(line -> line.substring("$ ".length()))
                .toList();
        assertThat(commands).startsWith(INSTALL).anyMatch(command -> command.contains("job run"));
        OutsideRepository repository = OutsideRepository.installed();
        repository.maven(arguments(commands.get(1), MAVEN));
        try (DevProcess dev = DevProcess.start(
                home, "--port", "0", "--plugin", ROOT.resolve(PLUGIN).toString())) {
            assertThat(commands.get(2)).isEqualTo(DEV + "--plugin " + PLUGIN);
            assertThat(dev.lines()).anyMatch(line -> line.matches(" +schedulers .*\\bspare-core\\b.*"));
            for (String command : commands.subList(3, commands.size())) {
                String output = type(arguments(command, CELLA));
                assertThat(output).as(command).isNotEmpty();
            }
            assertThat(type(List.of("job", "logs", "spared", "--tail", "1")))
                    .contains("task 0 was placed by spare-core");
            assertThat(type(List.of("job", "status", "spared"))).contains("spare-core", "FINISHED");
            dev.stop();
        }
    }

    private static List<String> arguments(String command, String program) {
        assertThat(command).startsWith(program);
        return List.of(command.substring(program.length()).split(" "));
    }

    private String type(List<String> arguments) {
        TypedCommand typed = new TypedCommand(ROOT, home);
        int code = new CellaCommand(typed.terminal()).run(arguments.toArray(String[]::new));
        assertThat(code).as(arguments + typed.err()).isZero();
        return typed.out();
    }

    @Test
    void theSnippets_areTheExamples() throws IOException {
        String example = sources();
        assertThat(blocks("java")).isNotEmpty().allMatch(example::contains);
        assertThat(blocks("xml")).isNotEmpty().allMatch(Files.readString(EXAMPLE.resolve("pom.xml"))::contains);
    }

    private static Stream<String> blocks(String language) throws IOException {
        String page = Files.readString(ROOT.resolve("docs/schedulers/write-one.md"));
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map((MatchResult block) -> block.group(1));
    }

    private static String sources() throws IOException {
        StringBuilder sources = new StringBuilder();
        try (Stream<Path> files = Files.walk(EXAMPLE.resolve("src"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java"))
                    .sorted()
                    .toList()) {
                sources.append(Files.readString(file));
            }
        }
        return sources.toString();
    }
}
