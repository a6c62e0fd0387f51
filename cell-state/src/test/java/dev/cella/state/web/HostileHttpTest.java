package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bytes that no client sends, on a bare connection. Each is refused as the sender's fault, by a problem or by closing the
 * connection, and none makes the server fail.
 */
class HostileHttpTest {
    private static final String HTTP2_PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final String HOST = "Host: 127.0.0.1\r\n";
    private static final String NO_MESSAGE = "The call's bytes are no message of gRPC";
    private static final String TOO_LARGE = "The message is larger than 4194304 bytes";

    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    static Stream<Arguments> requests() {
        return Stream.of(
                request("no request line", "\r\n\r\n\r\n"),
                request("no HTTP at all", "SSH-2.0-OpenSSH_9.2\r\n\r\n"),
                request("a TLS greeting", "\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003\r\n\r\n"),
                request("a version of HTTP that is none", "GET /v1/cell HTTP/9.7\r\n" + HOST),
                request("no version", "GET /v1/cell\r\n" + HOST),
                request("a method that is none", "BREW /v1/cell HTTP/1.1\r\n" + HOST),
                request("a method with bytes", "G\u0001T /v1/cell HTTP/1.1\r\n" + HOST),
                request("half of a percent code", get("/v1/machines/%4")),
                request("a percent code of no digits", get("/v1/machines/%zz")),
                request("a percent code that is no UTF-8", get("/v1/machines/%ff%fe")),
                request("half of a percent code in a query", get("/v1/machines?state=%")),
                request("a null in a path", get("/v1/machines/%00")),
                request("a slash in a name", get("/v1/machines/a%2Fb")),
                request("a way out of the root", get("/../../etc/passwd")),
                request("a coded way out of the root", get("/%2e%2e/%2e%2e/etc/passwd")),
                request("a path of bytes", get("/\u00ff\u00fe")),
                request("a path of a bracket", get("/v1/machines/[")),
                request("a path of a backslash", get("\\v1\\cell")),
                request("a path without its slash", get("v1/cell")),
                request("no path", get("")),
                request("a target with another scheme", get("ftp://127.0.0.1/v1/cell")),
                request("a target that is no address", get("http://")),
                request("a target with an odd port", get("http://127.0.0.1:port/v1/cell")),
                request("a target of all", get("*")),
                request("a tunnel", "CONNECT 127.0.0.1:22 HTTP/1.1\r\n" + HOST),
                request("a line that is too long", get("/v1/machines/" + "x".repeat(100_000))),
                request("a header that is too long", get("/v1/cell") + "Cookie: " + "x".repeat(200_000) + "\r\n"),
                request("very many headers", get("/v1/cell") + "Cookie: a=b\r\n".repeat(20_000)),
                request("a header without a colon", get("/v1/cell") + "Cookie\r\n"),
                request("a header without a name", get("/v1/cell") + ": a\r\n"),
                request("a header's name with a space", get("/v1/cell") + "Coo kie: a\r\n"),
                request("a header with bytes", get("/v1/cell") + "Cookie: \u0000\u0007\u00ff\r\n"),
                request("a folded header", get("/v1/cell") + "Cookie: a\r\n b\r\n"),
                request("two hosts", get("/v1/cell") + "Host: evil.example\r\n"),
                request("a host that is none", "GET /v1/cell HTTP/1.1\r\nHost: a b c\r\n"),
                request("a length that is no number", post() + "Content-Length: many\r\n"),
                request("a length below nothing", post() + "Content-Length: -1\r\n"),
                request("a length beyond all bounds", post() + "Content-Length: 99999999999999999999\r\n"),
                request("two lengths", post() + "Content-Length: 2\r\nContent-Length: 3\r\n"),
                request("a length and chunks", post() + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"),
                request("a chunk that is no number", post() + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n"),
                request("an encoding that is none", post() + "Transfer-Encoding: brew\r\n"),
                request("an expectation that is none", post() + "Expect: tea\r\nContent-Length: 2\r\n"),
                request("a type that is none", post() + "Content-Type: /;;;=\r\nContent-Length: 2\r\n\r\n{}"),
                request(
                        "a charset that is none",
                        post() + "Content-Type: application/json; charset=brew\r\nContent-Length: 2\r\n\r\n{}"),
                request(
                        "a body compressed by nothing known",
                        post() + "Content-Encoding: brew\r\nContent-Length: 2\r\n\r\n{}"),
                request(
                        "an upgrade to what is not there",
                        get("/v1/cell") + "Connection: Upgrade\r\nUpgrade: websocket\r\n"),
                request(
                        "an upgrade with settings that are none",
                        get("/v1/cell")
                                + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: %%%\r\n"),
                request("an upgrade without settings", get("/v1/cell") + "Connection: Upgrade\r\nUpgrade: h2c\r\n"),
                request("HTTP/2 that ends after its greeting", HTTP2_PREFACE),
                request(
                        "HTTP/2 with a frame of bytes",
                        HTTP2_PREFACE + "\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff"),
                request(
                        "HTTP/2 with headers before its settings",
                        HTTP2_PREFACE + "\u0000\u0000\u0001\u0001\u0005\u0000\u0000\u0000\u0001\u0082"),
                request(
                        "HTTP/2 with headers that are no code",
                        HTTP2_PREFACE
                                + "\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000"
                                + "\u0000\u0000\u0002\u0001\u0005\u0000\u0000\u0000\u0001\u00ff\u00ff"),
                request(
                        "HTTP/2 with headers that lack a path",
                        HTTP2_PREFACE
                                + "\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000"
                                + "\u0000\u0000\u0001\u0001\u0005\u0000\u0000\u0000\u0001\u0082"),
                request(
                        "a call of gRPC by GET",
                        get("/cella.v1.CellService/GetCell") + "Content-Type: application/grpc\r\n"));
    }

    private static Arguments request(String what, String bytes) {
        return Arguments.of(what, bytes);
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\n" + HOST;
    }

    private static String post() {
        return "POST /v1/jobs HTTP/1.1\r\n" + HOST;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("requests")
    void hostileRequest_isRefusedAndNoFailure(String what, String bytes) {
        Answer answered = answered(bytes.contains("\r\n\r\n") ? bytes : bytes + "Connection: close\r\n\r\n");
        String answer = answered.text();

        assertThat(answer).as(what).doesNotContainPattern("HTTP/1.1 5\\d\\d");
        assertThat(answer).as(what).doesNotContain("/problems/internal", "Exception", "dev.cella", "com.linecorp");
        if (answer.startsWith("HTTP/1.1 4") && !answered.reset()) {
            assertThat(answer).as(what).contains("application/problem+json", "\"type\":\"/problems/");
        }
        serves();
    }

    static Stream<Arguments> framesOfGrpc() {
        return Stream.of(
                Arguments.of("another kind of bytes", "{}", NO_MESSAGE),
                Arguments.of("no frame", "", NO_MESSAGE),
                Arguments.of("half a frame", "\0\0\0\0\2\b", NO_MESSAGE),
                Arguments.of("a frame without a message", "\0\0\0\0\2\u00ff\u00ff", NO_MESSAGE),
                Arguments.of("a frame that says it is compressed", "\1\0\0\0\1\0", NO_MESSAGE),
                Arguments.of("a length below nothing", "\0\u00ff\u00ff\u00ff\u00ff\0", TOO_LARGE),
                Arguments.of("a length beyond all bounds", "\0p\0\0\0\0", TOO_LARGE));
    }

    /** Answered like other faults, in words that reveal nothing internal. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("framesOfGrpc")
    void hostileFrame_isRefusedInOurWords(String what, String frame, String message) {
        String answer = answered(
                        "POST /cella.v1.CellService/GetCell HTTP/1.1\r\n" + HOST
                                + "Content-Type: application/grpc\r\nConnection: close\r\nContent-Length: "
                                + frame.length() + "\r\n\r\n" + frame,
                        false)
                .text();

        assertThat(answer).as(what).contains("grpc-message: " + message + "\r\n", "cella-problem-bin: ");
        assertThat(answer).as(what).doesNotContain("com.linecorp");
        serves();
    }

    /** Any random request. The name of a failing case contains its seed. */
    @Test
    void requestsWithBytesOfChance_areNoFailure() {
        for (int seed = 0; seed < 200; seed++) {
            String bytes = damaged(new Random(seed), get("/v1/machines?limit=3") + "Accept: */*\r\n\r\n");
            assertThat(answered(bytes).text()).as("seed %d", seed).doesNotContainPattern("HTTP/1.1 5\\d\\d");
        }
        serves();
    }

    private static String damaged(Random random, String request) {
        StringBuilder bytes = new StringBuilder(request);
        for (int damage = 0; damage < 3; damage++) {
            bytes.setCharAt(random.nextInt(bytes.length() - 4), (char) random.nextInt(256));
        }
        return bytes.toString();
    }

    private static void serves() {
        assertThat(CELL.get("/healthz").status()).isEqualTo(200);
    }

    /**
     * @param reset the server closed while it was still receiving, which may overtake the rest of the answer
     */
    private record Answer(String text, boolean reset) {}

    /** Reads everything until the server has finished. The client tells the server that it has finished, too. */
    private static Answer answered(String bytes) {
        return answered(bytes, true);
    }

    /**
     * @param ended the client ends its side of the connection, which a server may take for a disconnect
     */
    private static Answer answered(String bytes, boolean ended) {
        URI server = URI.create(CELL.address());
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        boolean reset = false;
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(100_000);
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            if (ended) {
                socket.shutdownOutput();
            }
            InputStream in = socket.getInputStream();
            for (int read = in.read(); read >= 0; read = in.read()) {
                answer.write(read);
            }
        } catch (SocketException closed) {
            reset = true;
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
        return new Answer(answer.toString(StandardCharsets.ISO_8859_1), reset);
    }
}
