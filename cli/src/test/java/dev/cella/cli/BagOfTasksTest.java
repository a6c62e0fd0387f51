package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code examples/bag-of-tasks.py} in a {@code cella dev}: it gets offers, its executors run every command, its job ends. */
@EnabledOnOs(OS.LINUX)
final class BagOfTasksTest {
    private static final Path PAGE = Path.of("../docs/schedulers/offers.md");

    @TempDir
    private Path home;

    @Test
    void everyCommandRunsOnce_onExecutorsThatTookOffers_andNoneIsLeft() throws Exception {
        assumeTrue(ExampleScript.canRun(), "there is no python3 here: examples/bag-of-tasks.py is not run");
        Path output = home.resolve("output");
        Path said = home.resolve("said");
        try (DevProcess dev = DevProcess.start(home, "--port", "0", "--machines", "2")) {
            String address = "http://127.0.0.1:" + dev.port();
            Process framework = ExampleScript.of("bag-of-tasks.py")
                    .start(home, "--address " + address + " --executors 200 --cpu-milli 1000", output, said);
            try {
                boolean ended = framework.waitFor(180, TimeUnit.SECONDS);
                assertThat(ended).as(Files.readString(said)).isTrue();
                assertThat(framework.exitValue()).as(Files.readString(said)).isZero();
                assertThat(Files.readAllLines(output))
                        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 100)
                                .mapToObj(Integer::toString)
                                .toList());
                assertThat(Files.readString(said)).contains("COMMITTED", "100 of 100 commands ended well");
            } finally {
                ExampleScript.end(framework);
            }
            assertJobIsStopped(address);
            dev.stop();
        }
    }

    /** Most of the 200 executors, of a core each, never had a machine. */
    private void assertJobIsStopped(String address) throws IOException {
        TypedCommand typed = new TypedCommand(home);
        int code = new CellaCommand(typed.terminal()).run("job", "status", "bag", "-o", "json", "--address", address);
        assertThat(code).as(typed.err()).isZero();
        JsonNode job = new ObjectMapper().readTree(typed.out());
        assertThat(job.path("state").asText()).isIn("STOPPING", "STOPPED", "FINISHED");
        assertThat(job.at("/tasks/pending").asInt(-1)).isZero();
    }

    @Test
    void itsPage_hasTheCommandsOfTheScript() throws IOException {
        ExampleScript script = ExampleScript.of("bag-of-tasks.py");
        assertThat(Files.readAllLines(PAGE)).contains("$ " + script.export(), "$ " + script.command());
    }
}
