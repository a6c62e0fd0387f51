package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Each job under examples/, run as its first lines say, beside a {@code cella dev} with hollow machines. */
@EnabledOnOs(OS.LINUX)
final class ExamplesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private static Path home;

    private static DevProcess dev;

    @BeforeAll
    static void start() throws IOException {
        dev = DevProcess.start(home, "--port", "0", "--machines", "20");
    }

    @AfterAll
    static void stop() {
        dev.close();
    }

    @Test
    void everyExample_isAJob() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("examples"))) {
            List<Path> jobs =
                    files.filter(file -> file.toString().endsWith(".yaml")).toList();
            assertThat(jobs).hasSizeGreaterThanOrEqualTo(5);
            jobs.forEach(
                    job -> assertThat(type("job", "validate", job.toString()).code())
                            .as(job.toString())
                            .isZero());
        }
    }

    @Test
    void hello_printsAlsoWhereThereAreHollowMachines() {
        assertThat(type("job", "run", "examples/hello.yaml", "--wait").code()).isZero();
        assertThat(type("job", "logs", "hello").out())
                .isEqualTo(IntStream.range(0, 3)
                        .mapToObj(index -> "main/" + index + "  hello from task " + index + "\n")
                        .collect(Collectors.joining()));
    }

    @Test
    void array_finishesItsThousand() {
        Answer answer = type("job", "run", "examples/array.yaml", "--wait");

        assertThat(answer.code()).as(answer.err()).isZero();
        assertThat(answer.out()).containsPattern("array +batch +batch +FINISHED +1000 +0 +0 +1000 +0 ");
    }

    @Test
    void gang_finishesWhole() {
        Answer answer = type("job", "run", "examples/gang.yaml", "--wait");

        assertThat(answer.code()).as(answer.err()).isZero();
        assertThat(answer.out()).containsPattern("gang +batch +batch +FINISHED +4 +0 +0 +4 +0 ");
    }

    @Test
    void spread_hasTwoInEachRack() {
        Answer answer = type("job", "run", "examples/spread.yaml", "--wait");
        assertThat(answer.code()).as(answer.err()).isZero();

        Map<String, Long> tasksByRack = type("job", "status", "spread")
                .out()
                .lines()
                .filter(line -> line.startsWith("spread/web/"))
                .map(line -> line.split("\\s+", -1)[4])
                .collect(Collectors.groupingBy(ExamplesTest::rackOf, Collectors.counting()));
        assertThat(tasksByRack)
                .containsOnlyKeys("r1", "r2", "r3", "r4")
                .allSatisfy((rack, tasks) -> assertThat(tasks).isEqualTo(2));
        assertThat(type("job", "stop", "spread").code()).isZero();
    }

    @Test
    void never_isRefusedAtOnce_andWithoutWaitingItStaysPending() {
        Answer waiting = type("job", "run", "examples/never.yaml", "--wait");
        assertThat(waiting.code()).isEqualTo(2);
        assertThat(waiting.err()).contains("error: never can never be placed: group main asks 1000000 cpuMilli a task");

        assertThat(type("job", "run", "examples/never.yaml").code()).isZero();
        assertThat(type("job", "list").out()).containsPattern("never +batch +batch +PENDING");
        await().atMost(3, TimeUnit.MINUTES)
                .untilAsserted(
                        () -> assertThat(type("job", "explain", "never").out()).contains("cpuMilli"));
        assertThat(type("job", "stop", "never").code()).isZero();
        assertThat(type("job", "stop", "never").out()).isEqualTo("never has ended before: STOPPED\n");
    }

    private static String rackOf(String machine) {
        return type("machine", "status", machine)
                .out()
                .lines()
                .filter(line -> line.startsWith("rack "))
                .map(line -> line.split("\\s+", -1)[1])
                .findFirst()
                .orElse("");
    }

    /** What a command printed and how it ended. */
    private record Answer(String out, String err, int code) {}

    private static Answer type(String... arguments) {
        TypedCommand typed = new TypedCommand(ROOT, home);
        int code = new CellaCommand(typed.terminal()).run(arguments);
        return new Answer(typed.out(), typed.err(), code);
    }
}
