package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cella.cli.terminal.Environment;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.TypedCommand;
import java.io.BufferedReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose certificate nobody accepts says so at its start: the handshakes that fail are one line of its log. */
final class ExpiredCertificateTest {
    private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

    @TempDir
    private Path folder;

    @Test
    void serverWithAnExpiredCertificate_saysSo() throws Exception {
        makeCertificates();
        Path errors = folder.resolve("errors");
        String[] server = {"server", "--data", "data", "--port", "0", "--tls", "ca", "--until-input-ends"};
        Process process = new ProcessBuilder(CommandClasses.command(List.of("-Xmx256m"), server))
                .directory(folder.toFile())
                .redirectError(errors.toFile())
                .start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            URI address = URI.create(output.readLine());
            assertThat(address).hasScheme("https");
            assertThat(Files.readString(errors))
                    .contains(
                            "note:  the server's certificate expired at 2020-12-31T00:00:00Z, and nobody can connect");
            failHandshakes(address, 3);
            await().untilAsserted(() -> assertThat(Files.readString(errors)).contains("a TLS handshake failed"));
            process.getOutputStream().close();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(Files.readAllLines(errors))
                    .filteredOn(line -> line.contains("handshake"))
                    .singleElement()
                    .asString()
                    .contains("FailedHandshakes peer=127.0.0.1: a TLS handshake failed: ");
        } finally {
            process.destroyForcibly();
        }
    }

    /** This process trusts the authorities of its JDK alone. */
    private static void failHandshakes(URI address, int count) {
        for (int number = 0; number < count; number++) {
            assertThatThrownBy(() -> {
                        try (Socket socket =
                                SSLSocketFactory.getDefault().createSocket(address.getHost(), address.getPort())) {
                            ((SSLSocket) socket).startHandshake();
                        }
                    })
                    .isInstanceOf(SSLException.class);
        }
    }

    private void makeCertificates() {
        Terminal now = new TypedCommand(folder).terminal();
        Environment then = new Environment(Map.of(), folder, folder, InstantSource.fixed(LONG_AGO));
        Terminal terminal = new Terminal(now.out(), now.err(), now.in(), then);
        assertThat(new CellaCommand(terminal).run("tls", "init", "ca")).isZero();
    }
}
