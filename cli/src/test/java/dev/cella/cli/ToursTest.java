package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tours in README.md and docs/tutorial.md, typed command by command beside the {@code cella dev} that they start.
 * The output must equal the page. Numbers, times, names of machines and the progress of a job are not compared.
 * {@code -Dtranscripts=rewrite} writes what is printed into the page. {@link DemoTest} runs the demo.
 */
@EnabledOnOs(OS.LINUX)
final class ToursTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern CONSOLE = Pattern.compile("(?<=```console\n)(.*?)(?=```)", Pattern.DOTALL);
    private static final Pattern PROGRESS = Pattern.compile(" *[\\d.]+ s {2}(PENDING|RUNNING|FINISHED).*");
    private static final String PROMPT = "$ ./cella ";
    private static final String DEMO = PROMPT + "demo";
    private static final String DEV = PROMPT + "dev";

    @TempDir
    private Path home;

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/tutorial.md"})
    void everyCommandOfTheTour_printsWhatThePageShows(String page) throws Exception {
        Path file = ROOT.resolve(page);
        String text = Files.readString(file);
        try (DevProcess dev = DevProcess.start(home, devArguments(text))) {
            String seen = CONSOLE.matcher(text).replaceAll(block -> Matcher.quoteReplacement(play(block.group(), dev)));
            if (System.getProperty("transcripts", "").equals("rewrite")) {
                Files.writeString(file, seen);
            } else {
                assertThat(loosely(blocks(seen))).isEqualTo(loosely(blocks(text)));
            }
            dev.stop();
        }
    }

    @Test
    void theTwoCommands_areTheDemoAndTheTests_andTheTourStartsACell() throws IOException {
        List<String> commands = blocks(Files.readString(ROOT.resolve("README.md"))).stream()
                .filter(line -> line.startsWith("$ "))
                .toList();

        assertThat(commands.get(0)).startsWith(DEMO);
        assertThat(commands.get(1)).startsWith("$ mvn verify");
        assertThat(commands.get(2)).startsWith(DEV);
    }

    private static String[] devArguments(String text) {
        String typed = blocks(text).stream()
                .filter(line -> line.equals(DEV) || line.startsWith(DEV + " --"))
                .findFirst()
                .orElseThrow();
        return Stream.concat(
                        Stream.of("--port", "0"),
                        Stream.of(typed.substring(DEV.length()).strip().split(" ")))
                .filter(argument -> !argument.isEmpty())
                .toArray(String[]::new);
    }

    private static List<String> blocks(String text) {
        return CONSOLE.matcher(text)
                .results()
                .map(MatchResult::group)
                .flatMap(String::lines)
                .toList();
    }

    /** The block as it has to be: each command with what it prints now. Other commands stay as they are. */
    private String play(String block, DevProcess dev) {
        List<String> seen = new ArrayList<>();
        boolean ours = false;
        for (String line : block.lines().toList()) {
            if (line.startsWith(PROMPT) && !line.startsWith(DEMO) && !line.contains("  #")) {
                seen.add(line);
                seen.addAll(line.startsWith(DEV) ? dev.lines() : type(line.substring(PROMPT.length())));
                ours = true;
            } else if (line.startsWith("$ ") || !ours) {
                seen.add(line);
                ours = false;
            }
        }
        return String.join("\n", seen) + "\n";
    }

    private List<String> type(String arguments) {
        TypedCommand typed = new TypedCommand(ROOT, home);
        int code = new CellaCommand(typed.terminal()).run(arguments.split(" ", -1));
        List<String> lines = new ArrayList<>(typed.out().lines().toList());
        List<String> failure = typed.err()
                .lines()
                .filter(line -> line.startsWith("error:") || line.startsWith("hint:"))
                .toList();
        lines.addAll(failure);
        assertThat(code == 0).as(arguments + ": " + failure).isEqualTo(failure.isEmpty());
        return lines;
    }

    /** Progress left out; each row its words, the varying ones by kind. */
    private static List<String> loosely(List<String> lines) throws IOException {
        String machine = hostname();
        return lines.stream()
                .filter(line -> !PROGRESS.matcher(line).matches() && !line.isBlank())
                .map(line -> line.replaceAll("\\b" + Pattern.quote(machine) + "\\b", "laptop")
                        .replaceAll("isolation=\\w+ user=\\S+:.*", "isolation=LEVEL user=you")
                        .replaceAll("^( *laptop .*) (none|limits|full)$", "$1 LEVEL")
                        .replaceAll("(data +).*", "$1DIR")
                        .replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:]+Z", "TIME")
                        .replaceAll("[\\d.]+ (GiB|MiB)", "SIZE")
                        .replaceAll("\\d+([.,]\\d+)*", "N")
                        .replaceAll("\\s+", " "))
                .toList();
    }

    private static String hostname() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().toLowerCase(Locale.ROOT);
    }
}
