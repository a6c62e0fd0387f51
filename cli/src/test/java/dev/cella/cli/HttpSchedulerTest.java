package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code examples/http-scheduler.py} beside the schedulers of a {@code cella dev}: its jobs are placed by it alone. */
@EnabledOnOs(OS.LINUX)
final class HttpSchedulerTest {
    @TempDir
    private Path home;

    @Test
    void itsJobsArePlaced_andItGoesWhenAnotherTakesOver() throws Exception {
        assumeTrue(ExampleScript.canRun(), "there is no python3 here: examples/http-scheduler.py is not run");
        Path job = Files.writeString(home.resolve("job.yaml"), """
            name: by-http
            type: batch
            scheduler: mine
            groups:
              - count: 30
                resources: {cpuMilli: 1000, memoryMib: 64}
                run: {command: [echo, hello], env: {CELLA_HOLLOW_RUNTIME_MILLIS: "200"}}
              - name: second
                resources: {cpuMilli: 100, memoryMib: 64}
                constraints: [{attribute: hollow, operator: absent}]
                restart: {attempts: 2, delay: 1ms}
                run: {command: [sh, -c, "test $CELLA_ATTEMPT -gt 1"]}
            """);
        Path said = home.resolve("said");
        try (DevProcess dev = DevProcess.start(home, "--port", "0", "--machines", "3")) {
            String address = "http://127.0.0.1:" + dev.port();
            Process scheduler = start(address, said, home.resolve("errors"));
            try {
                TypedCommand typed = new TypedCommand(home);
                int code = new CellaCommand(typed.terminal())
                        .run("job", "run", job.toString(), "--wait", "--address", address);
                assertThat(code).as(typed.err()).isZero();
                assertThat(Files.readString(said)).contains("by-http: ", " placed, 0 refused");

                Process successor = start(address, home.resolve("successor"), home.resolve("successor-errors"));
                assertThat(scheduler.waitFor(180, TimeUnit.SECONDS)).isTrue();
                assertThat(scheduler.exitValue()).isEqualTo(1);
                assertThat(Files.readString(home.resolve("errors"))).contains("error: FENCED");
                ExampleScript.end(successor);
            } finally {
                ExampleScript.end(scheduler);
            }
            dev.stop();
        }
    }

    private Process start(String address, Path output, Path errors) throws IOException {
        return ExampleScript.of("http-scheduler.py").start(home, "--address " + address, output, errors);
    }
}
