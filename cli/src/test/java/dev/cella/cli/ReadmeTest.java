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
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tour in README.md, typed command by command beside a {@code cella dev}. What is printed must be what README shows,
 * but for numbers, times, names of machines and the moments of a job at which one happened to look.
 */
@EnabledOnOs(OS.LINUX)
final class ReadmeTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern CONSOLE = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PROGRESS = Pattern.compile(" *[\\d.]+ s {2}(PENDING|RUNNING|FINISHED).*");
    private static final String PROMPT = "$ ./cella ";
    private static final String DEV = PROMPT + "dev";

    @TempDir
    private Path home;

    @Test
    void theTour_printsWhatReadmeShows() throws Exception {
        List<String> tour = tour();
        assertThat(tour).contains(DEV, PROMPT + "job run examples/hello.yaml --wait");

        try (DevProcess dev = DevProcess.start(home, "--port", "0")) {
            List<String> seen = new ArrayList<>();
            for (String line : tour) {
                if (line.equals(DEV)) {
                    seen.add(DEV);
                    seen.addAll(dev.lines());
                } else if (line.startsWith(PROMPT)) {
                    seen.add(line);
                    seen.addAll(type(line.substring(PROMPT.length())));
                }
            }
            assertThat(loosely(seen)).isEqualTo(loosely(tour));
            dev.stop();
        }
    }

    private static List<String> tour() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        String section = readme.substring(readme.indexOf("## The tour"), readme.indexOf("## What is here"));
        return CONSOLE.matcher(section)
                .results()
                .map(MatchResult::group)
                .flatMap(String::lines)
                .filter(line -> !line.startsWith("```"))
                .toList();
    }

    private List<String> type(String arguments) {
        TypedCommand typed = new TypedCommand(ROOT, home);
        int code = new CellaCommand(typed.terminal()).run(arguments.split(" ", -1));
        assertThat(code).as(arguments).isZero();
        return typed.out().lines().toList();
    }

    /** Progress left out; each row its words, the varying ones by kind. */
    private static List<String> loosely(List<String> lines) throws IOException {
        String machine = hostname();
        return lines.stream()
                .filter(line -> !PROGRESS.matcher(line).matches() && !line.isBlank())
                .map(line -> line.replaceAll("\\b" + Pattern.quote(machine) + "\\b", "laptop")
                        .replaceAll("user=\\S+:", "user=you:")
                        .replaceAll("(data +).*", "$1DIR")
                        .replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:]+Z", "TIME")
                        .replaceAll("[\\d.]+ (GiB|MiB)", "SIZE")
                        .replaceAll("\\d+([.]\\d+)*", "N")
                        .replaceAll("\\s+", " "))
                .toList();
    }

    private static String hostname() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().toLowerCase(Locale.ROOT);
    }
}
