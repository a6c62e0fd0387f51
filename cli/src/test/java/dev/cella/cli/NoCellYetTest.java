package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What the parts of a cell say when they are started before their cell, or before the address that they listen at. */
@EnabledOnOs(OS.LINUX)
final class NoCellYetTest {
    private static final String AWAY = "cannot be reached, nothing listens there; still trying";

    @TempDir
    private Path folder;

    @Test
    @Timeout(300)
    void theySayAtOnceThatTheCellIsNotThere_andOnceThatItIs() throws Exception {
        String port = Integer.toString(freePort());
        String address = "http://127.0.0.1:" + port;
        try (Part scheduler = start("scheduler", "--address", address);
                Part agent = start("agent", "--data", "agent", "--name", "m", "--address", address)) {
            assertThat(scheduler.readUntil(AWAY)).contains("cell=" + address);
            assertThat(agent.readUntil(AWAY)).contains("cell=" + address);
            try (Part server = start("server", "--data", "cell", "--port", port)) {
                server.readUntil(address);
                assertThat(scheduler.readUntil(": reached")).contains("cell=" + address);
                assertThat(agent.readUntil(": reached")).contains("cell=" + address);
            }
            assertThat(scheduler.lines).filteredOn(line -> line.contains(AWAY)).hasSize(1);
            assertThat(agent.lines).filteredOn(line -> line.contains(AWAY)).hasSize(1);
        }
    }

    /** 192.0.2.1 is an address of documentation, which no machine has. */
    @Test
    @Timeout(300)
    void replicaWhoseAddressIsNotThereYet_saysThatItWaits() throws Exception {
        Files.writeString(
                folder.resolve("server.yaml"),
                "replicas: [{name: r1, log: \"127.0.0.1:%d\", address: \"http://192.0.2.1:7070\"}]"
                        .formatted(freePort()));
        try (Part server = start("server", "--config", "server.yaml", "--replica", "r1", "--data", "cell")) {
            assertThat(server.readUntil("192.0.2.1")).contains("has no address here yet; this replica waits for it");
            assertThat(server.process.isAlive()).isTrue();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Part start(String... arguments) throws IOException {
        Process process = new ProcessBuilder(CommandClasses.command(List.of("-Xmx128m"), arguments))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        return new Part(process, process.inputReader(StandardCharsets.UTF_8), new ArrayList<>());
    }

    private record Part(Process process, BufferedReader output, List<String> lines) implements AutoCloseable {
        String readUntil(String words) throws IOException {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                if (line.contains(words)) {
                    return line;
                }
            }
            throw new AssertionError("it has ended, having said " + lines);
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }
}
