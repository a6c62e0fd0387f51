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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code examples/bag-of-tasks.py} in a {@code cella dev}: it gets offers, its executors run every command, its job ends. */
@EnabledOnOs(OS.LINUX)
final class BagOfTasksTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path home;

    @Test
    void everyCommandRunsOnce_onExecutorsThatTookOffers_andNoneIsLeft() throws Exception {
        assumeTrue(isThere("python3"), "there is no python3 here: examples/bag-of-tasks.py is not run");
        Path commands = Files.writeString(home.resolve("commands"), "echo one\necho two\necho three\necho four\n");
        Path output = home.resolve("output");
        Path said = home.resolve("said");
        try (DevProcess dev = DevProcess.start(home, "--port", "0", "--machines", "2")) {
            String address = "http://127.0.0.1:" + dev.port();
            ProcessBuilder builder = new ProcessBuilder(
                            "python3",
                            ROOT.resolve("examples/bag-of-tasks.py").toString(),
                            "--address",
                            address,
                            "--executors",
                            "200",
                            "--cpu-milli",
                            "1000")
                    .redirectInput(commands.toFile())
                    .redirectOutput(output.toFile())
                    .redirectError(said.toFile());
            builder.environment().put("CELLA_TOKEN", dev.token());
            Process framework = builder.start();
            try {
                boolean ended = framework.waitFor(180, TimeUnit.SECONDS);
                assertThat(ended).as(Files.readString(said)).isTrue();
                assertThat(framework.exitValue()).as(Files.readString(said)).isZero();
                assertThat(Files.readAllLines(output)).containsExactlyInAnyOrder("one", "two", "three", "four");
                assertThat(Files.readString(said)).contains("COMMITTED", "4 of 4 commands ended well");
            } finally {
                framework.destroyForcibly();
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

    private static boolean isThere(String program) throws InterruptedException {
        try {
            return new ProcessBuilder(program, "--version")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }
}
