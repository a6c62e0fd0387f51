package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code cella demo} as its user meets it: a process in a pipe, which runs for half a minute and says what it saw. */
@EnabledOnOs(OS.LINUX)
final class DemoTest {
    private static final List<Demo> SEEN = new ArrayList<>();

    @TempDir
    private Path home;

    /** Each run takes half a minute, one after another. {@code -Dcella.demoSeeds=10} tries more seeds. */
    @ParameterizedTest
    @MethodSource("seeds")
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void everySchedulerPlaces_thinkingLongCostsConflicts_andTheChecksAreMade(long seed) throws Exception {
        Demo demo = run("--port", "0", "--seed", Long.toString(seed));

        assertThat(demo.code()).as(demo.text()).isZero();
        assertItIsAsItShouldBe(demo);
        assertThat(leftBehind()).isEmpty();
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Integer.getInteger("cella.demoSeeds", 1))
                .map(place -> 2 * place - 1);
    }

    /** Another seed. The cell that is left running is like any other: commands find it, and Ctrl-C ends it. */
    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void keep_leavesItRunning_untilItIsInterrupted() throws Exception {
        Process process = start(Map.of(), "--port", "0", "--seed", "2", "--keep");
        try {
            String text = readUntil(process.getInputStream(), "Ctrl-C ends it");
            TypedCommand typed = new TypedCommand(home);

            assertItIsAsItShouldBe(new Demo(text, 0));
            assertThat(new CellaCommand(typed.terminal()).run("status"))
                    .as(typed.err())
                    .isZero();
            assertThat(text).contains("left running at " + typed.out().split("[ ,]+", -1)[3]);
            interrupt(process);
            assertThat(process.waitFor()).isEqualTo(130);
            assertThat(leftBehind()).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * In one run, web makes twenty attempts, and three to ten of them may conflict. Over all seeds together chance
     * evens out.
     */
    @AfterAll
    static void thinkingLong_costsConflicts() {
        assumeThat(SEEN).isNotEmpty();
        double successful = SEEN.stream()
                .mapToDouble(demo -> demo.number("CONFLICTS", "web", 1))
                .sum();
        double conflicted = SEEN.stream()
                .mapToDouble(demo -> demo.number("CONFLICTS", "web", 2))
                .sum();
        assertThat(conflicted).as("of %s runs", SEEN.size()).isGreaterThan(0.2 * successful);
    }

    private static void assertItIsAsItShouldBe(Demo demo) {
        for (String scheduler : List.of("batch-a", "batch-b", "web")) {
            assertThat(demo.number("JOBS", scheduler, 2))
                    .as("%s placed jobs", scheduler)
                    .isPositive();
        }
        SEEN.add(demo);
        assertThat(demo.number("CONFLICTS", "web", 3)).as(demo.text()).isPositive();
        double batchA = demo.number("CONFLICTS", "batch-a", 3);
        assertThat(batchA).as(demo.text()).isLessThan(demo.number("CONFLICTS", "batch-b", 3));
        assertThat(demo.text())
                .containsPattern(
                        "m-042 stopped answering: (1 task LOST ... it is|(\\d+) tasks LOST ... all \\2) running"
                                + " elsewhere after");
        assertThat(demo.text())
                .containsPattern("checked: \\d,\\d{3} versions replayed, no machine ever over-committed");
        assertThat(demo.text()).containsPattern("the store and 3 private replicas have the same digest [0-9a-f]{8}");
        assertThat(demo.text()).doesNotContain("\u001b");
    }

    @Test
    void interruptedBesideWhatHasThePort_itPrintsTheTablesSoFar_andLeavesNothingBehind() throws Exception {
        try (DefaultPort held = DefaultPort.hold();
                ServerSocket port = new ServerSocket()) {
            assertThat(held).isNotNull();
            take(port);
            Process process = start(Map.of("COLUMNS", "60"), "--seed", "4");
            String begun = readUntil(process.getInputStream(), " 00:05 ");
            assertThat(begun).contains("cell        http://127.0.0.1:", "ready in ");
            assertThat(begun).doesNotContain("127.0.0.1:7070 ", "[###");
            interrupt(process);
            String rest = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(process.waitFor()).as(begun + rest).isEqualTo(130);
            assertThat(rest).contains("JOBS ", "CONFLICTS ").doesNotContain("checked:");
            assertThat((begun + rest).lines().filter(line -> !line.contains(home.toString())))
                    .allMatch(line -> line.length() <= 60);
            assertThat(leftBehind()).as(rest).isEmpty();
        }
    }

    private static void interrupt(Process process) throws Exception {
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    }

    /** Another program may have the port already: that serves as well. */
    private static void take(ServerSocket port) throws IOException {
        try {
            port.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7070));
        } catch (BindException takenAlready) {
            assertThat(takenAlready).hasMessageContaining("in use");
        }
    }

    /** What a demo printed and how it ended. */
    private record Demo(String text, int code) {
        /** The cell of the table with that first column, in the row of that scheduler. */
        double number(String table, String scheduler, int column) {
            List<String> lines = text.lines().toList();
            int head = 0;
            while (!lines.get(head).startsWith(table + " ")) {
                head++;
            }
            String row = lines.subList(head, lines.size()).stream()
                    .filter(line -> line.startsWith(scheduler + " "))
                    .findFirst()
                    .orElseThrow();
            String cell = row.split("\\s{2,}", -1)[column];
            return cell.equals("-") ? 0 : Double.parseDouble(cell.replace(",", ""));
        }
    }

    private Demo run(String... arguments) throws Exception {
        Process process = start(Map.of(), arguments);
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Demo(text, process.waitFor());
    }

    private Process start(Map<String, String> variables, String... arguments) throws IOException {
        List<String> command = CommandClasses.command(List.of("-Xmx400m", "-Djava.io.tmpdir=" + home), "demo");
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HOME", home.toString());
        builder.environment().putAll(variables);
        return builder.start();
    }

    private static String readUntil(InputStream output, String expected) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(expected) < 0) {
            int next = output.read();
            assertThat(next)
                    .as("it ended before it said '%s': %s", expected, text)
                    .isNotNegative();
            text.append((char) next);
        }
        return text.toString();
    }

    private List<Path> leftBehind() throws IOException {
        try (Stream<Path> files = Files.list(home)) {
            return files.filter(file -> file.getFileName().toString().startsWith("cella-demo"))
                    .toList();
        }
    }
}
