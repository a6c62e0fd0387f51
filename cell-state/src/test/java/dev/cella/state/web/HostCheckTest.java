package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as a tricked browser sends them, written by hand, because no client would forge its Host. */
class HostCheckTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private static final String REFUSED_OR_RESET = "(?s)(HTTP/1.1 4.*)?";
    private static final Pattern LENGTH = Pattern.compile("content-length: (\\d+)");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/cell",
                "/v1/feed",
                "/",
                "/metrics",
                "/healthz",
                "/docs",
                "/problems/gone",
                "/nosuch",
                "/cella.v1.CellService/GetCell"
            })
    void hostOfAnother_isForbiddenOnEveryRoute(String path) {
        assertThat(request("GET", path, "Host: rebound.evil.example"))
                .startsWith("HTTP/1.1 403")
                .contains("/problems/forbidden");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example:7070",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "localhost.",
                "0.0.0.0",
                "10.0.0.1",
                "[::2]",
                "",
                "127.1"
            })
    void hostileHosts_areForbidden(String host) {
        assertThat(request("GET", "/v1/cell", "Host: " + host)).matches("(?s)HTTP/1.1 40[03] .*");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.0.0.1:7070",
                "localhost:1234",
                "LOCALHOST",
                "[::1]:7070",
                "cell.example",
                "cell.example:80"
            })
    void ownNames_areServedOnAnyPort(String host) {
        assertThat(request("GET", "/v1/cell", "Host: " + host)).startsWith("HTTP/1.1 200");
    }

    /** Covers the second request of a connection, and one whose own name comes first. */
    @Test
    void twoHosts_areABadRequest() {
        assertThat(request("GET", "/v1/cell", "Host: 127.0.0.1", "Host: evil.example"))
                .startsWith("HTTP/1.1 400")
                .contains("/problems/bad-request");
        assertThat(request("GET", "/v1/cell", "Host: 127.0.0.1", "Host: 127.0.0.1"))
                .startsWith("HTTP/1.1 400");
    }

    @Test
    void noHost_isRefused() {
        assertThat(request("GET", "/v1/cell", "Accept: */*")).matches("(?s)HTTP/1.1 40[03] .*");
    }

    @Test
    void targetWithAnotherHost_isRefused() {
        assertThat(request("GET", "http://evil.example/v1/cell", "Host: 127.0.0.1"))
                .matches("(?s)HTTP/1.1 40[03] .*");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example",
                "null",
                "http://localhost:3000",
                "https://127.0.0.1",
                "http://127.0.0.1.evil.example",
                "file://"
            })
    void originOfAnother_isForbiddenForReadsAndWrites(String origin) {
        assertThat(request("GET", "/v1/cell", "Host: 127.0.0.1", "Origin: " + origin))
                .startsWith("HTTP/1.1 403");
        assertThat(request("POST", "/v1/machines/m1:drain", "Host: 127.0.0.1", "Origin: " + origin))
                .startsWith("HTTP/1.1 403");
        assertThat(request(
                        "OPTIONS",
                        "/v1/jobs",
                        "Host: 127.0.0.1",
                        "Origin: " + origin,
                        "Access-Control-Request-Method: POST"))
                .startsWith("HTTP/1.1 403")
                .doesNotContainIgnoringCase("access-control-allow");
    }

    @Test
    void grpcOfAnotherOrigin_isForbidden() {
        assertThat(request(
                        "POST",
                        "/cella.v1.CellService/GetCell",
                        "Host: 127.0.0.1",
                        "Origin: http://evil.example",
                        "Content-Type: application/grpc+proto"))
                .startsWith("HTTP/1.1 403");
    }

    @Test
    void ownOrigin_isServed() {
        assertThat(request("GET", "/v1/cell", "Host: 127.0.0.1:7070", "Origin: http://127.0.0.1:7070"))
                .startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"})
    void formOfAPage_isNoBody(String type) {
        assertThat(request(
                        "POST", "/v1/jobs", "Host: 127.0.0.1", "Content-Type: " + type, "Content-Length: 2", "", "{}"))
                .startsWith("HTTP/1.1 415");
    }

    @Test
    void headersWithoutEnd_areCutOff() {
        assertThat(request("GET", "/v1/cell", "Host: 127.0.0.1", "X-Long: " + "x".repeat(64 << 10)))
                .matches(REFUSED_OR_RESET);
        assertThat(request("GET", "/v1/cell?from=" + "x".repeat(64 << 10), "Host: 127.0.0.1"))
                .matches(REFUSED_OR_RESET);
    }

    /** The whole answer; empty if the connection was reset, which may overtake the answer. */
    private static String request(String method, String target, String... lines) {
        URI address = CELL.uri("/");
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            String head = method + " " + target + " HTTP/1.1\r\n" + String.join("\r\n", lines) + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            return answer(socket.getInputStream());
        } catch (SocketException reset) {
            return "";
        } catch (IOException failure) {
            throw new AssertionError(method + " " + target, failure);
        }
    }

    private static String answer(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int read = in.read(); read >= 0; read = in.read()) {
            text.append((char) read);
            if (text.indexOf("\r\n\r\n") >= 0) {
                break;
            }
        }
        Matcher length = LENGTH.matcher(text);
        byte[] body = length.find() ? in.readNBytes(Integer.parseInt(length.group(1))) : new byte[0];
        return text.append(new String(body, StandardCharsets.UTF_8)).toString();
    }
}
