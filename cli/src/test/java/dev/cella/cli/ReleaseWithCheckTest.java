package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Releases of a service with a check, beside a {@code cella dev} that runs their tasks. The check could end a task only after
 * hours, so without its report a task would count as healthy after five minutes: half of the deadline.
 */
@EnabledOnOs(OS.LINUX)
final class ReleaseWithCheckTest {
    @TempDir
    private static Path home;

    private static DevProcess dev;
    private static Path ready;

    @BeforeAll
    static void start() throws IOException {
        Path shared = Files.createDirectory(home.resolve("shared"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
        ready = shared.resolve("ready");
        dev = DevProcess.start(home, "--port", "0");
    }

    @AfterAll
    static void stop() {
        dev.close();
    }

    @Test
    void releaseWhoseCheckPasses_goesOnAsSoonAsItHas() throws IOException {
        assertThat(type("job run " + service("web", "one", "true", "10m") + " --wait")
                        .code())
                .isZero();
        assertThat(type("job run " + service("web", "two", "test -e " + ready, "10m") + " --update")
                        .code())
                .isZero();
        await().atMost(90, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(type("job status web").out()).containsPattern("RUNNING .* awaited"));
        Answer halfway = type("job status web");
        assertThat(halfway.out()).containsOnlyOnce("awaited").containsOnlyOnce("passed");

        Files.createFile(ready);

        await().atMost(90, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(type("job status web -o json").out())
                        .contains("\"outdated\" : 0", "\"checked\" : 2", "\"unchecked\" : 0")
                        .doesNotContain("updated and healthy"));
        Answer waited = type("job run " + service("web", "two", "test -e " + ready, "10m") + " --update --wait");
        assertThat(waited.code()).as(waited.err()).isZero();
        assertThat(type("job stop web").code()).isZero();
    }

    /** Its tasks run on, and would be healthy for that after 20 s. */
    @Test
    void releaseWhoseCheckNeverPasses_isReverted() throws IOException {
        assertThat(type("job run " + service("never", "one", "true", "40s") + " --wait")
                        .code())
                .isZero();

        Answer updated = type("job run " + service("never", "two", "false", "40s") + " --update --wait");

        assertThat(updated.code()).as(updated.err()).isEqualTo(1);
        assertThat(updated.err()).contains("error: generation 2 of never was reverted: it is generation 1 again\n");
        assertThat(type("job stop never").code()).isZero();
    }

    private static String service(String name, String release, String check, String deadline) throws IOException {
        Path file = home.resolve(name + "-" + release + ".yaml");
        Files.writeString(file, """
                name: %s
                type: service
                groups:
                  - count: 2
                    resources: {cpuMilli: 100, memoryMib: 16}
                    check: {command: [sh, -c, "%s"], every: 100ms, timeout: 1m, failuresMax: 1000000}
                    update: {deadline: %s}
                    run:
                      command: [sleep, "1000"]
                      env: {RELEASE: %s}
                """.formatted(name, check, deadline, release));
        return file.toString();
    }

    /** What a command printed and how it ended. */
    private record Answer(String out, String err, int code) {}

    private static Answer type(String words) {
        TypedCommand typed = new TypedCommand(home);
        int code = new CellaCommand(typed.terminal()).run(words.split(" ", -1));
        return new Answer(typed.out(), typed.err(), code);
    }
}
