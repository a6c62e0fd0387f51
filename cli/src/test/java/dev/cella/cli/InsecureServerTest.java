package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that other hosts reach has certificates, or its first line says what it means that it has none. */
final class InsecureServerTest {
    @TempDir
    private Path folder;

    @Test
    void beyondLoopback_withoutCertificates_isRefusedBeforeAnythingIsMade() {
        TypedCommand typed = new TypedCommand(folder);
        int code = new CellaCommand(typed.terminal()).run("server", "--host", "0.0.0.0", "--data", "data");
        assertThat(code).isEqualTo(64);
        assertThat(typed.err())
                .startsWith("error: a server that listens beyond loopback (0.0.0.0) has TLS and tokens\n")
                .contains("cella tls init DIR");
        assertThat(Files.exists(folder.resolve("data"))).isFalse();
    }

    @Test
    void insecure_saysInItsFirstLineThatAnybodyMayGiveOrders() throws Exception {
        String[] server = {
            "server", "--host", "0.0.0.0", "--insecure", "--data", "data", "--port", "0", "--until-input-ends"
        };
        Process process = new ProcessBuilder(CommandClasses.command(List.of("-Xmx256m"), server))
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine())
                    .startsWith("http://")
                    .endsWith(" is insecure: anybody who reaches it may give orders");
            process.getOutputStream().close();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }
}
