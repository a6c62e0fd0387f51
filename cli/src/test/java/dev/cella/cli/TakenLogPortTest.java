package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose log cannot listen says so, and does not start. */
final class TakenLogPortTest {
    @TempDir
    private Path folder;

    @Test
    void server_whoseLogsPortIsTaken_isRefusedAsOtherStartsAre() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String log = "127.0.0.1:" + other.getLocalPort();
            Files.writeString(
                    folder.resolve("server.yaml"),
                    "replicas: [{name: r1, log: \"%s\", address: \"http://127.0.0.1:%d\"}]".formatted(log, freePort()));

            TypedCommand typed = new TypedCommand(folder);
            int code = new CellaCommand(typed.terminal())
                    .run("server", "--config", "server.yaml", "--replica", "r1", "--data", "data");

            assertThat(code).isEqualTo(1);
            assertThat(typed.err()).isEqualTo("""
                            error: port %d of 127.0.0.1 is in use
                            hint:  the log of this replica listens there (%s): stop the program that has the port, or give the log another one
                            """.formatted(other.getLocalPort(), log));
            assertThat(Files.exists(folder.resolve("data"))).isFalse();
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
