package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.cella.state.web.Contract.Route;
import io.grpc.MethodDescriptor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Giant, deep and broken bodies at every route, and such messages at every method of gRPC. Each is refused as the sender's
 * fault, and nothing changes.
 */
@Timeout(180)
class HostileBodiesTest {
    private static final int DEPTH = 50_000;
    private static final int BODY_BYTES_MAX = 1 << 20;

    /** A tag that begins a group, which contains the next one. */
    private static final String GROUP = "{";

    private static final String NO_MESSAGE = "The call's bytes are no message of gRPC";
    private static final String TOO_LARGE = "The message is larger than 4194304 bytes";

    /** By the status of the answer. */
    private static final Map<String, Integer> BODIES = bodies();

    /** By the words of the answer. */
    private static final Map<String, String> FRAMES = frames();

    /** A stream of frames may end before its first whole one: then it has asked for nothing. */
    private static final Set<String> HALF_FRAMES = Set.of("{}", "\0\0\0\0\2\b");

    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private long before;

    private static Map<String, Integer> bodies() {
        Map<String, Integer> bodies = new LinkedHashMap<>();
        bodies.put(" ".repeat(BODY_BYTES_MAX + 1), 413);
        bodies.put("[".repeat(DEPTH), 400);
        bodies.put("{\"a\":".repeat(DEPTH) + "1" + "}".repeat(DEPTH), 400);
        bodies.put("{\"name\": \"a", 400);
        bodies.put("{]", 400);
        bodies.put("{}}", 400);
        bodies.put("\u00ff\u00fe\u0000", 400);
        bodies.put("[]", 400);
        bodies.put("\"name\"", 400);
        bodies.put("{\"nothingOfThisName\": 1}", 400);
        return bodies;
    }

    private static Map<String, String> frames() {
        Map<String, String> frames = new LinkedHashMap<>();
        frames.put("{}", NO_MESSAGE);
        frames.put("\0\0\0\0\2\b", NO_MESSAGE);
        frames.put("\0\0\0\0\2\u00ff\u00ff", NO_MESSAGE);
        frames.put("\1\0\0\0\1\0", NO_MESSAGE);
        frames.put("\0\0\0\4\0" + GROUP.repeat(1_024), NO_MESSAGE);
        frames.put("\0\u00ff\u00ff\u00ff\u00ff\0", TOO_LARGE);
        frames.put("\0\0@\0\1" + "\0".repeat(1_024), TOO_LARGE);
        return frames;
    }

    @BeforeEach
    void readVersion() {
        before = version();
    }

    private static long version() {
        return CELL.get("/v1/cell").version();
    }

    @Test
    void hostileBodies_areRefusedAtEveryRoute() throws IOException {
        for (Route route : Contract.routes(CELL.get("/openapi.json").json())) {
            for (Map.Entry<String, Integer> body : BODIES.entrySet()) {
                String answer = firstLine(route.verb() + " " + route.path(), "application/json", body.getKey());
                int status = Integer.parseInt(answer.split(" ", -1)[1]);
                assertThat(status)
                        .as("%s with %s: %s", route, shortened(body.getKey()), answer)
                        .satisfies(found -> checkRefused(route, found, body.getValue()));
            }
        }
        assertThat(version()).isEqualTo(before);
    }

    /** A page and a stream ignore the body of a GET. */
    private static void checkRefused(Route route, int status, int expected) {
        if (route.isRead()) {
            assertThat(status).isIn(expected, 200, 400, 404);
        } else {
            assertThat(status).isEqualTo(expected);
        }
    }

    private static String shortened(String text) {
        return text.length() > 30 ? text.substring(0, 30) + "..." : text;
    }

    @Test
    void hostileFrames_areRefusedAtEveryMethodOfGrpc() throws IOException {
        for (MethodDescriptor<?, ?> method : Contract.methods()) {
            for (Map.Entry<String, String> frame : FRAMES.entrySet()) {
                String answer = answer("POST /" + method.getFullMethodName(), "application/grpc", frame.getKey());
                boolean isEmpty = !method.getType().clientSendsOneMessage() && HALF_FRAMES.contains(frame.getKey());
                assertThat(answer)
                        .as("%s with %s", method.getFullMethodName(), shortened(frame.getKey()))
                        .contains(isEmpty ? "grpc-status: 0" : "grpc-message: " + frame.getValue())
                        .doesNotContain("com.linecorp", "Exception");
                assertThat(answer.contains("cella-problem-bin: ")).isNotEqualTo(isEmpty);
            }
        }
        assertThat(version()).isEqualTo(before);
        assertThatCode(() -> CELL.get("/healthz")).doesNotThrowAnyException();
    }

    private static String firstLine(String request, String type, String body) throws IOException {
        try (Socket socket = sent(request, type, body)) {
            return reader(socket).readLine();
        }
    }

    /** The head, which has all that an answer without a message says. */
    private static String answer(String request, String type, String body) throws IOException {
        try (Socket socket = sent(request, type, body)) {
            return reader(socket).lines().takeWhile(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
        }
    }

    private static Socket sent(String request, String type, String body) throws IOException {
        URI server = URI.create(CELL.address());
        Socket socket = new Socket(server.getHost(), server.getPort());
        String head =
                "%s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                        .formatted(request, type, body.length());
        OutputStream out = socket.getOutputStream();
        out.write((head + body).getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    }
}
