package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cella.state.Access;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.state.ReplicaOptions;
import dev.cella.state.core.DurableFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server of a cell on a temporary directory, one per test class, and a client that uses only HTTP. */
final class RunningCell implements BeforeAllCallback, AfterAllCallback {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final ReplicaOptions replica;
    private final Access access;
    private @Nullable Path data;
    private @Nullable CellServer server;

    RunningCell() {
        this(ReplicaOptions.defaults(), Access.OPEN);
    }

    RunningCell(ReplicaOptions replica) {
        this(replica, Access.OPEN);
    }

    RunningCell(Access access) {
        this(ReplicaOptions.defaults(), access);
    }

    private RunningCell(ReplicaOptions replica, Access access) {
        this.replica = replica;
        this.access = access;
    }

    /** An answer. */
    record Reply(int status, java.net.http.HttpHeaders headers, String body) {
        JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (IOException notJson) {
                throw new AssertionError("not JSON: " + body, notJson);
            }
        }

        String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        long version() {
            return json().get("version").asLong();
        }

        /** Expects a problem of that type and status, as in RFC 9457, and returns its text. */
        JsonNode problem(int expected, String type) {
            assertThat(status).as(body).isEqualTo(expected);
            assertThat(header("content-type")).isEqualTo("application/problem+json");
            assertThat(json().get("type").asText()).isEqualTo("/problems/" + type);
            assertThat(json().get("status").asInt()).isEqualTo(expected);
            assertThat(json().get("title").asText()).isNotEmpty();
            assertThat(body).doesNotContain("Exception", "dev.cella", "com.linecorp", "java.");
            return json();
        }

        /** Expects a bad request with a fault at that place, and returns the fault's message. */
        String fault(String path) {
            JsonNode errors = problem(400, "bad-request").get("errors");
            for (JsonNode error : errors) {
                if (error.get("path").asText().equals(path)) {
                    return error.get("message").asText();
                }
            }
            throw new AssertionError("no fault at " + path + " in " + body);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        data = Files.createTempDirectory("cell");
        server = CellServer.start(
                CellServerOptions.defaults(data)
                        .withPort(0)
                        .withFreeBytesMin(0)
                        .withHostNames(Set.of("cell.example"))
                        .withReplica(replica)
                        .withAccess(access),
                (message, cause) -> {
                    throw new AssertionError(message, cause);
                });
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        if (server != null) {
            server.close();
        }
        if (data != null) {
            DurableFiles.removeTree(data);
        }
    }

    String address() {
        return Objects.requireNonNull(server).address();
    }

    /** The secret that the first start of a closed cell wrote. */
    String firstToken() {
        try {
            return Files.readString(Objects.requireNonNull(data).resolve("token"))
                    .strip();
        } catch (IOException missing) {
            throw new AssertionError(missing);
        }
    }

    Path data() {
        return Objects.requireNonNull(data);
    }

    URI uri(String path) {
        return URI.create(address() + path);
    }

    Reply get(String path, String... headers) {
        return send("GET", path, "", headers);
    }

    Reply head(String path) {
        return send("HEAD", path, "");
    }

    Reply delete(String path) {
        return send("DELETE", path, "");
    }

    Reply put(String path, String body) {
        return send("PUT", path, body, "Content-Type", "application/json");
    }

    Reply post(String path, String body) {
        return send("POST", path, body, "Content-Type", "application/json");
    }

    Reply send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
            return new Reply(answer.statusCode(), answer.headers(), answer.body());
        } catch (IOException failure) {
            throw new AssertionError(method + " " + path, failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    /** Registers a machine by hand. */
    Reply putMachine(String name, long cpuMilli, long memoryMib) {
        return put(
                "/v1/machines/" + name,
                "{\"capacity\":{\"cpuMilli\":%d,\"memoryMib\":%d}}".formatted(cpuMilli, memoryMib));
    }

    /** A batch job with {@code count} tasks for a scheduler that does not run here. */
    Reply submit(String name, int count) {
        return post("/v1/jobs", job(name, count));
    }

    /**
     * Raises the cell as an update does, but without an update: from now on jobs store the version of their last update.
     */
    void keepVersionsOfUpdates() {
        put("/v1/jobs/nobody?checkVersion=1", job("nobody", 1)).problem(409, "conflict");
    }

    static String job(String name, int count) {
        return """
                {"name": "%s", "type": "batch", "groups": [{"count": %d, "resources": {"cpuMilli": 500, "memoryMib": 64},
                  "run": {"command": ["/bin/echo", "${index}"]}}]}""".formatted(name, count);
    }

    /** Places tasks, each on the machine named after it. */
    Reply place(String id, String... tasksAndMachines) {
        StringBuilder claims = new StringBuilder();
        for (int place = 0; place < tasksAndMachines.length; place += 2) {
            claims.append(claims.length() == 0 ? "" : ",")
                    .append("{\"task\":\"%s\",\"machine\":\"%s\"}"
                            .formatted(tasksAndMachines[place], tasksAndMachines[place + 1]));
        }
        return post(
                "/v1/transactions", "{\"id\":\"%s\",\"scheduler\":\"batch\",\"claims\":[%s]}".formatted(id, claims));
    }

    EventStream events(String path, String... headers) throws IOException, InterruptedException {
        return EventStream.open(uri(path), headers);
    }

    /** A reader of the feed that collects the text as it comes. */
    record EventStream(BufferedReader lines) implements AutoCloseable {
        record Event(String id, String event, JsonNode data) {
            long version() {
                return data.get("version").asLong();
            }
        }

        private static EventStream open(URI address, String... headers) throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(address);
            if (headers.length > 0) {
                request.headers(headers);
            }
            HttpResponse<InputStream> response =
                    HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofInputStream());
            assertThat(response.headers().firstValue("content-type")).hasValue("text/event-stream");
            return new EventStream(new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8)));
        }

        /** Ignores heartbeats between events, because the test may take any time. */
        Event next() throws IOException {
            Event next = nextOrHeartbeat();
            while (next.event.equals("heartbeat")) {
                next = nextOrHeartbeat();
            }
            return next;
        }

        Event nextOrHeartbeat() throws IOException {
            String id = "";
            String event = "";
            String data = "";
            for (String line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {
                String value = line.substring(line.indexOf(':') + 2);
                switch (line.substring(0, line.indexOf(':'))) {
                    case "id" -> id = value;
                    case "event" -> event = value;
                    default -> data = value;
                }
            }
            return new Event(id, event, JSON.readTree(data));
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
