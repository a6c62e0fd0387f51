package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.access.CellAccess;
import dev.cella.client.access.CertificateAuthority;
import dev.cella.client.access.Pem;
import dev.cella.client.access.Tls;
import dev.cella.client.access.TlsFiles;
import dev.cella.client.access.TlsRole;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.live.AgentConnection;
import dev.cella.client.live.CellConnection;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.state.Access;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with certificates: which clients it accepts, and its answers to wrong certificates. */
@Timeout(180)
class TlsTest {
    private static final Duration YEAR = Duration.ofDays(365);
    private static final List<String> LOOPBACK = List.of("127.0.0.1", "localhost");

    @TempDir
    Path folder;

    private CertificateAuthority authority;
    private CellServer server;

    @BeforeEach
    void start() throws Exception {
        authority = CertificateAuthority.make("cell", Instant.now(), YEAR);
        write(folder, authority, Instant.now(), YEAR);
        server = CellServer.start(
                CellServerOptions.defaults(folder.resolve("data"))
                        .withPort(0)
                        .withFreeBytesMin(0)
                        .withAccess(Access.closed(Security.ofTls(Tls.load(TlsFiles.of(folder, TlsRole.SERVER))))),
                (message, cause) -> {
                    throw new AssertionError(message, cause);
                });
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private static void write(Path to, CertificateAuthority by, Instant now, Duration valid)
            throws IOException, GeneralSecurityException {
        Files.createDirectories(to);
        Files.writeString(to.resolve("ca.pem"), Pem.write(by.certificate()));
        for (TlsRole role : TlsRole.values()) {
            CertificateAuthority.Signed signed = by.sign(role, LOOPBACK, now, valid);
            Files.writeString(to.resolve(role.word() + ".pem"), Pem.write(signed.certificate()));
            Files.writeString(to.resolve(role.word() + ".key"), Pem.write(signed.key()));
        }
    }

    private CellAccess access(TlsFiles files) throws IOException {
        return CellAccess.ofToken(Files.readString(folder.resolve("data/token")).strip())
                .withTls(Tls.load(files));
    }

    private HttpCell http(TlsFiles files) throws IOException {
        return new HttpCell(addresses().with(access(files)));
    }

    private CellAddresses addresses() {
        return CellAddresses.of(URI.create(server.address()));
    }

    private static RegisterRequest register() {
        return RegisterRequest.newBuilder()
                .setMachine("m-1")
                .setBootId("boot")
                .setAddress("http://127.0.0.1:1")
                .putCapacity("cpuMilli", 1_000)
                .build();
    }

    @Test
    void clientThatTrustsTheAuthority_isServed_andLearnsTheCertificatesEnd() throws Exception {
        HttpCell cell = http(TlsFiles.ofClient(folder.resolve("ca.pem")));
        assertThat(server.address()).startsWith("https://");
        assertThat(cell.getCell().getName()).isEqualTo("cell");
        assertThat(cell.certificateExpiresAt())
                .hasValueSatisfying(end -> assertThat(end).isAfter(Instant.now().plus(Duration.ofDays(300))));
    }

    @Test
    void clientThatTrustsAnother_isToldWhatIsWrong() throws Exception {
        Path other = folder.resolve("other");
        write(other, CertificateAuthority.make("other", Instant.now(), YEAR), Instant.now(), YEAR);
        HttpCell cell = http(TlsFiles.ofClient(other.resolve("ca.pem")));
        assertThatThrownBy(cell::getCell)
                .isInstanceOfSatisfying(
                        CellUnreachable.class,
                        refused -> assertThat(refused.hint()).contains("--ca"));
    }

    @Test
    void agentWithItsCertificate_registers_andOneWithoutMayNot() throws Exception {
        try (CellConnection own = CellConnection.open(addresses().with(access(TlsFiles.of(folder, TlsRole.AGENT))))) {
            assertThat(new AgentConnection(own).register(register()).join().getRegisteredVersion())
                    .isPositive();
        }
        try (CellConnection bare =
                CellConnection.open(addresses().with(access(TlsFiles.ofClient(folder.resolve("ca.pem")))))) {
            assertThat(failure(bare))
                    .isInstanceOfSatisfying(
                            Problem.class,
                            refused -> assertThat(refused.detail()).contains("show a certificate"));
        }
    }

    @Test
    void agentWithACertificateOfAnotherAuthority_isNotConnected() throws Exception {
        Path other = folder.resolve("other");
        write(other, CertificateAuthority.make("cell", Instant.now(), YEAR), Instant.now(), YEAR);
        Files.writeString(other.resolve("ca.pem"), Pem.write(authority.certificate()));
        try (CellConnection foreign =
                CellConnection.open(addresses().with(access(TlsFiles.of(other, TlsRole.AGENT))))) {
            assertThat(failure(foreign)).isNotNull();
        }
    }

    private static Throwable failure(CellConnection connection) {
        Throwable failure = catchThrowable(
                () -> new AgentConnection(connection).register(register()).join());
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }

    @Test
    void renewedCertificate_isShownWithoutARestart_andAnExpiredOneIsReported() throws Exception {
        renew(Instant.now().minus(Duration.ofDays(30)), Duration.ofDays(10));
        await().untilAsserted(() -> assertThatThrownBy(
                        () -> http(TlsFiles.ofClient(folder.resolve("ca.pem"))).getCell())
                .isInstanceOfSatisfying(CellUnreachable.class, expired -> {
                    assertThat(expired).hasMessageContaining("has expired");
                    assertThat(expired.hint()).contains("cella tls init").doesNotContain("cella dev");
                }));

        renew(Instant.now(), Duration.ofDays(10));
        await().ignoreExceptions().untilAsserted(() -> {
            HttpCell cell = http(TlsFiles.ofClient(folder.resolve("ca.pem")));
            cell.getCell();
            assertThat(cell.certificateExpiresAt())
                    .hasValueSatisfying(
                            end -> assertThat(end).isBefore(Instant.now().plus(Duration.ofDays(11))));
        });
    }

    @Test
    void metric_saysWhenTheCertificateExpires_alsoAfterARenewal() throws Exception {
        assertThat(certificateExpiresSeconds()).isEqualTo(expiresAt().getEpochSecond());

        renew(Instant.now(), Duration.ofDays(10));
        await().untilAsserted(() ->
                assertThat(certificateExpiresSeconds()).isEqualTo(expiresAt().getEpochSecond()));
    }

    private long certificateExpiresSeconds() throws Exception {
        Tls tls = Tls.load(TlsFiles.ofClient(folder.resolve("ca.pem")));
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.address() + "/metrics"))
                .header(
                        "Authorization",
                        "Bearer "
                                + Files.readString(folder.resolve("data/token")).strip())
                .build();
        String shown = HttpClient.newBuilder()
                .sslContext(tls.context())
                .build()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
        String name = "cella_certificate_expires_seconds ";
        return shown.lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length())))
                .findFirst()
                .orElseThrow();
    }

    private Instant expiresAt() {
        return Tls.load(TlsFiles.of(folder, TlsRole.SERVER)).expiresAt().orElseThrow();
    }

    /** A file system may not distinguish two changes at one moment. */
    private void renew(Instant from, Duration valid) throws Exception {
        write(folder, authority, from, valid);
        Files.setLastModifiedTime(
                folder.resolve("server.pem"), FileTime.from(Instant.now().plus(valid)));
    }

    @Test
    void twoHosts_areABadRequestOverTlsToo() throws Exception {
        URI address = URI.create(server.address());
        Tls tls = Tls.load(TlsFiles.ofClient(folder.resolve("ca.pem")));
        try (var socket = tls.context().getSocketFactory().createSocket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(100_000);
            OutputStream out = socket.getOutputStream();
            out.write("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            assertThat(new String(in.readNBytes(12), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 400");
        }
    }
}
