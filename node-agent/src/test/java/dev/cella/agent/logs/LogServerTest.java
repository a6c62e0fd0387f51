package dev.cella.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cella.agent.keeper.Journal;
import dev.cella.agent.keeper.OutputWriter;
import dev.cella.client.access.CertificateAuthority;
import dev.cella.client.access.Pem;
import dev.cella.client.access.Tls;
import dev.cella.client.access.TlsFiles;
import dev.cella.client.access.TlsRole;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogServerTest {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path root;

    private OutputStore store;
    private LogServer server;
    private Path output;

    @BeforeEach
    void start() throws IOException {
        store = OutputStore.open(root, new OutputLimits(1_000, 1, 1L << 30));
        server = LogServer.start(LogAddress.LOOPBACK, store, Optional.empty());
        output = store.create(key(0));
        Files.writeString(output.resolve("journal"), "mark test\n");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static AttemptKey key(int index) {
        return new AttemptKey("m-1", 7, 0, index, 1);
    }

    private void print(Stream stream, String text) throws IOException {
        Path file = output.resolve(stream.word() + ".0");
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void end() throws IOException {
        Journal.endedUnstarted(output);
        store.ended(key(0));
    }

    private HttpRequest request(String rest) {
        return HttpRequest.newBuilder(URI.create(server.address() + "/v1/logs/m-1/7/0/" + rest))
                .build();
    }

    private HttpResponse<String> get(String rest) throws Exception {
        return client.send(request(rest), BodyHandlers.ofString());
    }

    /** An address of this machine that is not loopback; packets to it do not leave the machine. */
    private static Optional<InetAddress> ownAddress() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
    }

    @Test
    void logs_areServedAtAnAddressThatOtherHostsReach() throws Exception {
        Optional<InetAddress> own = ownAddress();
        assumeTrue(own.isPresent(), "this machine has no address but loopback");
        server.close();
        server = LogServer.start(
                LogAddress.parse("http://" + own.get().getHostAddress() + ":0"), store, Optional.empty());
        print(Stream.STDOUT, "out\n");
        assertThat(server.address()).startsWith("http://" + own.get().getHostAddress() + ":");
        assertThat(get("0/1?stream=stdout").body()).isEqualTo("out\n");
    }

    @Test
    void logs_areServedAtEachLoopbackAddress_underItsName() throws Exception {
        server.close();
        server = LogServer.start(LogAddress.parse("http://127.0.1.1:0"), store, Optional.empty());
        print(Stream.STDOUT, "out\n");
        assertThat(server.address()).startsWith("http://127.0.1.1:");
        assertThat(get("0/1?stream=stdout").body()).isEqualTo("out\n");
    }

    @Test
    void logAddress_thatIsNoAddressOfThisMachine_isRefusedInWords() {
        assertThatThrownBy(() -> LogServer.start(LogAddress.parse("http://192.0.2.1:7075"), store, Optional.empty()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot serve logs at 192.0.2.1:7075");
        assertThatThrownBy(() -> LogAddress.parse("http://0.0.0.0:7075"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one address");
    }

    @Test
    void logs_overTls_areForServersOfTheCellAlone() throws Exception {
        CertificateAuthority authority = CertificateAuthority.make("cell", Instant.now(), Duration.ofDays(1));
        Tls agent = certificate(authority, TlsRole.AGENT);
        server.close();
        server = LogServer.start(LogAddress.LOOPBACK, store, Optional.of(agent));
        print(Stream.STDOUT, "out\n");

        assertThat(server.address()).startsWith("https://");
        assertThat(getOverTls(certificate(authority, TlsRole.SERVER))).isEqualTo("out\n");
        assertThatThrownBy(() -> getOverTls(certificate(authority, TlsRole.SCHEDULER)))
                .isInstanceOf(IOException.class);
        CertificateAuthority other = CertificateAuthority.make("other", Instant.now(), Duration.ofDays(1));
        assertThatThrownBy(() -> getOverTls(certificate(other, TlsRole.SERVER))).isInstanceOf(IOException.class);
    }

    /** For a host that is not this one: who calls an agent does not look at its host. */
    private Tls certificate(CertificateAuthority authority, TlsRole role) throws Exception {
        Path folder = Files.createTempDirectory(root, role.word());
        CertificateAuthority.Signed signed =
                authority.sign(role, List.of("elsewhere.example"), Instant.now(), Duration.ofDays(1));
        Path ca = Files.writeString(folder.resolve("ca.pem"), Pem.write(authority.certificate()));
        Path certificate = Files.writeString(folder.resolve("own.pem"), Pem.write(signed.certificate()));
        Path key = Files.writeString(folder.resolve("own.key"), Pem.write(signed.key()));
        return Tls.load(new TlsFiles(ca, Optional.of(new TlsFiles.Own(certificate, key))));
    }

    private String getOverTls(Tls caller) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                new KeyManager[] {caller.keyManager()},
                new TrustManager[] {caller.trustManagerAnywhere(TlsRole.AGENT)},
                null);
        return HttpClient.newBuilder()
                .sslContext(context)
                .build()
                .send(request("0/1?stream=stdout"), BodyHandlers.ofString())
                .body();
    }

    @Test
    void streams_areServedAsTheyAre() throws Exception {
        print(Stream.STDOUT, "out\n");
        print(Stream.STDERR, "err ü\n");
        HttpResponse<String> both = get("0/1");
        assertThat(both.statusCode()).isEqualTo(200);
        assertThat(both.headers().firstValue("content-type")).contains("text/plain; charset=utf-8");
        assertThat(both.body()).isEqualTo("out\nerr ü\n");
        assertThat(get("0/1?stream=stdout").body()).isEqualTo("out\n");
        assertThat(get("0/1?stream=stderr").body()).isEqualTo("err ü\n");
    }

    @Test
    void tail_isTheLastLines() throws Exception {
        print(Stream.STDOUT, "one\ntwo\nthree\n");
        assertThat(get("0/1?tail=2").body()).isEqualTo("two\nthree\n");
        assertThat(get("0/1?tail=0").body()).isEmpty();
    }

    @Test
    void outputThatWasDropped_isCountedInTheAnswer() throws Exception {
        Files.writeString(output.resolve("stdout.5000"), "of a line\nwhole\n");
        HttpResponse<String> kept = get("0/1?stream=stdout");
        assertThat(kept.body()).isEqualTo("whole\n");
        assertThat(kept.headers().firstValue("cella-log-dropped-bytes")).contains("5010");
        assertThat(kept.headers().firstValue("cella-log-limit-bytes")).contains("1000");
        assertThat(get("0/1?stream=stdout&tail=1").headers().firstValue("cella-log-dropped-bytes"))
                .contains("5010");
        assertThat(get("0/1?stream=stdout&tail=0").headers().firstValue("cella-log-dropped-bytes"))
                .contains("0");
    }

    @Test
    void offset_isWhereInItsStreamTheAnswerBegins() throws Exception {
        Files.writeString(output.resolve("stdout.5000"), "of a line\nwhole\nlast\n");
        assertThat(get("0/1?stream=stdout").headers().firstValue("cella-log-offset"))
                .contains("5010");
        assertThat(get("0/1?stream=stdout&tail=1").headers().firstValue("cella-log-offset"))
                .contains("5016");
        assertThat(get("0/1?stream=stdout&tail=0").headers().firstValue("cella-log-offset"))
                .contains("5021");
        assertThat(get("0/1").headers().firstValue("cella-log-offset")).isEmpty();
    }

    @Test
    void follow_goesOnUntilTheEnd() throws Exception {
        print(Stream.STDOUT, "before\n");
        HttpResponse<InputStream> response =
                client.send(request("0/1?follow=true&stream=both"), BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("before");
            print(Stream.STDERR, "and then\n");
            assertThat(lines.readLine()).isEqualTo("and then");
            print(Stream.STDOUT, "last\n");
            assertThat(lines.readLine()).isEqualTo("last");
            end();
            assertThat(lines.readLine()).isNull();
        }
    }

    /** Each file has room for one line, so every line but the first is written after a rotation. */
    @Test
    void follow_whileTheOutputIsRotated_missesNothing_andRepeatsNothing() throws Exception {
        OutputWriter writer = OutputWriter.create(output, Stream.STDOUT.word(), 16);
        HttpResponse<InputStream> response =
                client.send(request("0/1?follow=true&stream=stdout"), BodyHandlers.ofInputStream());
        try (writer;
                BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            for (int line = 10; line < 30; line++) {
                byte[] bytes = ("line " + line + "\n").getBytes(UTF_8);
                writer.append(bytes, bytes.length);
                assertThat(lines.readLine()).isEqualTo("line " + line);
            }
            end();
            assertThat(lines.readLine()).isNull();
            assertThat(output.resolve("stdout.0")).doesNotExist();
        }
    }

    @Test
    void notStarted_is404_removed_is410() throws Exception {
        assertThat(get("5/1").statusCode()).isEqualTo(404);
        end();
        var unused = store.create(key(1));
        store.ended(key(1));
        assertThat(get("0/1").statusCode()).isEqualTo(410);
        assertThat(get("1/1").statusCode()).isEqualTo(200);
    }

    @Test
    void badQuestions_are400() throws Exception {
        assertThat(get("0/1?stream=stdin").statusCode()).isEqualTo(400);
        assertThat(get("0/1?tail=-1").statusCode()).isEqualTo(400);
        assertThat(get("0/1?follow=maybe").statusCode()).isEqualTo(400);
        assertThat(get("0/1?folow=true").body()).isEqualTo("no such parameter: folow\n");
        assertThat(get("zero/1").statusCode()).isEqualTo(400);
        assertThat(get("99999999999/1").statusCode()).isEqualTo(400);
    }

    @Test
    void aForeignOrigin_isRefused() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(request("0/1").uri())
                .header("Origin", "http://evil.example")
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
        HttpRequest own = HttpRequest.newBuilder(request("0/1").uri())
                .header("Origin", server.address())
                .build();
        assertThat(client.send(own, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    @Test
    void aForeignHost_isRefused() throws Exception {
        URI address = URI.create(server.address());
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write("GET /v1/logs/m-1/7/0/0/1 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                    .getBytes(UTF_8));
            out.flush();
            BufferedReader answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            assertThat(answer.readLine()).startsWith("HTTP/1.1 403");
        }
    }
}
