package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.cella.cli.terminal.TypedCommand;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.Run;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands whose first answer is lost on its way from the leader, as when the leader dies then. The client repeats them. */
class LostAnswerTest {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path home;

    @Test
    void revert_isNotUndoneByItsRepetition() throws Exception {
        CellServerOptions options =
                CellServerOptions.defaults(home.resolve("data")).withPort(0).withFreeBytesMin(0);
        try (CellServer server = CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        })) {
            HttpCell cell = new HttpCell(URI.create(server.address()));
            cell.submitJob(service("first"));
            cell.putJob(service("second"));
            HttpServer before = losesTheFirst(":revert", URI.create(server.address()));
            try {
                type(before, "job", "revert", "web");
            } finally {
                before.stop(0);
            }

            JobStatus web =
                    cell.getJob(GetJobRequest.newBuilder().setName("web").build());
            assertThat(web.getGeneration()).isEqualTo(3);
            assertThat(web.getSpecification().getGroups(0).getRun().getCommand(1))
                    .isEqualTo("first");
        }
    }

    private void type(HttpServer before, String... arguments) {
        String address = "http://127.0.0.1:" + before.getAddress().getPort();
        TypedCommand command = new TypedCommand(home, home, Map.of("CELLA_ADDRESS", address));
        assertThat(new CellaCommand(command.terminal()).run(arguments))
                .as(command.err())
                .isZero();
        assertThat(command.out()).contains("generation 3");
    }

    private static Job service(String says) {
        return Job.newBuilder()
                .setName("web")
                .setType(JobType.JOB_TYPE_SERVICE)
                .addGroups(Group.newBuilder()
                        .setCount(1)
                        .putResources("cpuMilli", 1)
                        .putResources("memoryMib", 1)
                        .setRun(Run.newBuilder().addCommand("echo").addCommand(says)))
                .build();
    }

    /** Passes everything on. It answers the first request for such a path as a follower does that has lost its leader. */
    private static HttpServer losesTheFirst(String pathEnd, URI cell) throws IOException {
        AtomicBoolean lost = new AtomicBoolean();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            HttpResponse<String> answer = passOn(exchange, cell);
            boolean loses = exchange.getRequestURI().getPath().endsWith(pathEnd) && !lost.getAndSet(true);
            if (loses) {
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                answer(exchange, 503, "{\"type\": \"/problems/no-leader\", \"status\": 503, \"title\": \"no leader\"}");
            } else {
                answer(exchange, answer.statusCode(), answer.body());
            }
        });
        server.start();
        return server;
    }

    private static HttpResponse<String> passOn(HttpExchange exchange, URI cell) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        HttpRequest request = HttpRequest.newBuilder(cell.resolve(exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body))
                .header("Content-Type", "application/json")
                .build();
        return CLIENT.sendAsync(request, BodyHandlers.ofString()).join();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
