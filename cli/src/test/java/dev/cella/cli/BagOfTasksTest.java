package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code examples/bag-of-tasks.py} in a {@code cella dev}: it gets offers, and its executors run every command. */
@EnabledOnOs(OS.LINUX)
final class BagOfTasksTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path home;

    @Test
    void everyCommandRunsOnce_onExecutorsThatTookOffers() throws Exception {
        assumeTrue(isThere("python3"), "there is no python3 here: examples/bag-of-tasks.py is not run");
        Path commands = Files.writeString(home.resolve("commands"), "echo one\necho two\necho three\necho four\n");
        Path output = home.resolve("output");
        Path said = home.resolve("said");
        try (DevProcess dev = DevProcess.start(home, "--port", "0", "--machines", "2")) {
            ProcessBuilder builder = new ProcessBuilder(
                            "python3",
                            ROOT.resolve("examples/bag-of-tasks.py").toString(),
                            "--address",
                            "http://127.0.0.1:" + dev.port())
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
            dev.stop();
        }
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
