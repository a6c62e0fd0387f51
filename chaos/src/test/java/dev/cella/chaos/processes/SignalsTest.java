package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SignalsTest {
    @TempDir
    private Path programs;

    /** Many images have no procps. */
    @Test
    void machineWithoutTheProgramKill_sendsSignals() throws Exception {
        Files.createSymbolicLink(programs.resolve("sh"), Path.of("/bin/sh"));
        Process sleeping = new ProcessBuilder("sleep", "600").start();
        try {
            assertThat(paused(sleeping.pid())).isTrue();
            await().until(() -> Signals.isPaused(sleeping.pid()));
        } finally {
            sleeping.destroyForcibly().waitFor();
        }
        assertThat(paused(sleeping.pid())).as("a process that has ended").isFalse();
    }

    /** Pauses it from a JVM that finds the shell alone. Returns whether that is allowed. */
    private boolean paused(long pid) throws IOException, InterruptedException {
        ProcessBuilder java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SignalsTest.class.getName(),
                        Long.toString(pid))
                .inheritIO();
        java.environment().put("PATH", programs.toString());
        return java.start().waitFor() == 0;
    }

    public static void main(String[] pids) {
        long pid = Long.parseLong(pids[0]);
        if (!Signals.isAllowed(pid)) {
            System.exit(1);
        }
        Signals.pause(pid);
    }
}
