package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.state.core.Membership;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.StartRefusedException.Why;
import dev.cella.transactions.model.CellName;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CellServerTest {
    @TempDir
    Path folder;

    @Test
    void start_onTheSameData_showsTheSameJobs() throws Exception {
        try (CellServer first = start(options())) {
            put(first, "/v1/machines/m1", "{\"capacity\": {\"cpuMilli\": 4000, \"memoryMib\": 4096}}");
        }
        try (CellServer second = start(options())) {
            assertThat(get(second, "/v1/machines/m1").body()).contains("\"cpuMilli\":4000");
        }
    }

    @Test
    void close_withOpenStreams_endsThemSoon() throws Exception {
        CellServer server = start(options());
        HttpResponse<InputStream> feed = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(server.address() + "/v1/feed"))
                                .build(),
                        BodyHandlers.ofInputStream());
        long before = System.nanoTime();
        server.close();

        // A stream never ends by itself, so a close that waited for it would never return.
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(60));
        assertThatThrownBy(() -> get(server, "/v1/cell")).isInstanceOf(IOException.class);
        feed.body().close();
    }

    @Test
    void close_withAConnectionThatIsKept_answersNothingMoreOnIt() throws Exception {
        CellServer server = start(options());
        URI address = URI.create(server.address());
        try (Socket connection = new Socket(address.getHost(), address.getPort())) {
            connection.setSoTimeout(100_000);
            assertThat(ask(connection, address)).isEqualTo("HTTP/1.1 200 OK");
            server.close();

            assertThat(ask(connection, address)).isEmpty();
        }
    }

    /** The first line of the answer; empty if the connection has ended. */
    private static String ask(Socket connection, URI address) throws IOException {
        String request = "HEAD /healthz HTTP/1.1\r\nHost: " + address.getAuthority() + "\r\n\r\n";
        try {
            connection.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = new byte[4096];
            int length = connection.getInputStream().read(answer);
            return new String(answer, 0, Math.max(length, 0), StandardCharsets.US_ASCII)
                    .lines()
                    .findFirst()
                    .orElse("");
        } catch (SocketException reset) {
            return "";
        }
    }

    @Test
    void start_onATakenPort_isRefusedBeforeAnythingIsMade() throws Exception {
        try (CellServer server = start(options())) {
            int port = URI.create(server.address()).getPort();
            Path other = folder.resolve("other");

            assertThat(refused(() -> start(CellServerOptions.defaults(other).withPort(port))))
                    .isEqualTo(Why.PORT_IN_USE);
            assertThat(Files.exists(other)).isFalse();
        }
    }

    /** Ratis would end the process in its own way. */
    @Test
    void start_onATakenLogPort_isRefusedBeforeAnythingIsMade() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            StartRefusedException taken = catchRefused(() -> start(withLogAt("127.0.0.1:" + other.getLocalPort())));

            assertThat(taken.why()).isEqualTo(Why.LOG_PORT_IN_USE);
            assertThat(taken).hasMessage("port " + other.getLocalPort() + " of 127.0.0.1 is in use");
            assertThat(taken.hint()).contains("the log of this replica listens there");
            assertThat(Files.exists(folder.resolve("data"))).isFalse();
        }
    }

    /** A start without rows listens where the cell knows its log. */
    @Test
    void restart_whereTheCellKnowsItsLog_onATakenPort_isRefused() throws Exception {
        String log;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            log = "127.0.0.1:" + free.getLocalPort();
        }
        start(withLogAt(log)).close();
        try (ServerSocket other = new ServerSocket()) {
            other.setReuseAddress(true);
            int port = Integer.parseInt(log.substring(log.indexOf(':') + 1));
            other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));

            assertThat(refused(() -> start(options()))).isEqualTo(Why.LOG_PORT_IN_USE);
        }
        start(options()).close();
    }

    /** 203.0.113.1 is an address for documentation, which no machine has. */
    @Test
    void start_withALogAtAnAddressOfAnotherMachine_isRefused() {
        assertThat(catchRefused(() -> start(withLogAt("203.0.113.1:7171"))))
                .hasMessage("this machine does not have the address 203.0.113.1");
        assertThat(catchRefused(() -> start(withLogAt("no-such-host.invalid:7171"))))
                .hasMessage("no address of the host no-such-host.invalid is known");
    }

    private CellServerOptions withLogAt(String log) {
        Member alone = new Member("r1", log, URI.create("http://127.0.0.1:7071"));
        return options().withReplica(ReplicaOptions.defaults().withMembership(new Membership("r1", List.of(alone))));
    }

    /** This happens when several servers start at once: each has checked the port and found it free. */
    @Test
    void start_onAPortThatIsTakenMeanwhile_isRefusedAlike() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CellServerOptions options = options().withPort(other.getLocalPort());

            assertThat(refused(() -> CellServer.orPortInUse(options, () -> {
                        throw new CompletionException(new IOException("bind(..) failed with error(-98)"));
                    })))
                    .isEqualTo(Why.PORT_IN_USE);
        }
        assertThatThrownBy(() -> CellServer.orPortInUse(options(), () -> {
                    throw new CompletionException(new IOException("something else"));
                }))
                .isInstanceOf(CompletionException.class);
    }

    @Test
    void start_onATakenDirectory_saysWhereItsServerIs() throws Exception {
        try (CellServer server = start(options())) {
            StartRefusedException taken = catchRefused(() -> start(options()));

            assertThat(taken.why()).isEqualTo(Why.DIRECTORY_IN_USE);
            assertThat(taken.address()).hasValue(server.address());
            assertThat(taken.pid()).hasValue(ProcessHandle.current().pid());
        }
    }

    @Test
    void start_onTheDirectoryOfAnotherCell_isRefused() throws Exception {
        start(options()).close();

        assertThat(refused(() -> start(options().withCell(new CellName("another")))))
                .isEqualTo(Why.OTHER_CELL);
    }

    @Test
    void start_withTooLittleSpace_isRefused() {
        assertThat(refused(() -> start(options().withFreeBytesMin(Long.MAX_VALUE))))
                .isEqualTo(Why.DISK_LOW);
    }

    private CellServerOptions options() {
        return CellServerOptions.defaults(folder.resolve("data")).withPort(0).withFreeBytesMin(0);
    }

    private static CellServer start(CellServerOptions options) throws Exception {
        return CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        });
    }

    private static Why refused(ThrowingCallable start) {
        return catchRefused(start).why();
    }

    private static StartRefusedException catchRefused(ThrowingCallable start) {
        try {
            start.call();
        } catch (StartRefusedException refused) {
            return refused;
        } catch (Throwable other) {
            throw new AssertionError(other);
        }
        throw new AssertionError("it started");
    }

    private static HttpResponse<String> get(CellServer server, String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(server.address() + path))
                                .build(),
                        BodyHandlers.ofString());
    }

    private static void put(CellServer server, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.address() + path))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(body))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }
}
