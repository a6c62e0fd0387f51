package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A client that knows only the documented HTTP interface. */
final class OutsideClient {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Longer than any request asks the cell to wait. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    private final URI address;
    private final Optional<String> token;
    private final HttpClient http = HttpClient.newHttpClient();

    OutsideClient(String address) {
        this(address, Optional.empty());
    }

    /** For a cell that asks for a token. */
    OutsideClient(String address, String token) {
        this(address, Optional.of(token));
    }

    private OutsideClient(String address, Optional<String> token) {
        this.address = URI.create(address);
        this.token = token;
    }

    JsonNode get(String path) {
        HttpResponse<String> response = send(request(path).GET().build());
        assertThat(response.statusCode())
                .as("GET %s: %s", path, response.body())
                .isEqualTo(200);
        return parse(response.body());
    }

    String text(String path) {
        HttpResponse<String> response = send(request(path).GET().build());
        assertThat(response.statusCode())
                .as("GET %s: %s", path, response.body())
                .isEqualTo(200);
        return response.body();
    }

    void awaitText(String path, String wanted, Duration patience) {
        await().atMost(patience).until(() -> isText(path, wanted));
    }

    private boolean isText(String path, String wanted) {
        try {
            return text(path).equals(wanted);
        } catch (AssertionError notYet) {
            return false;
        }
    }

    /** The answer with any status; empty if none came. */
    Optional<HttpResponse<String>> tryToSend(String method, String path, String body) {
        try {
            return Optional.of(http.send(
                    request(path)
                            .header("Content-Type", "application/json")
                            .method(method, HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString()));
        } catch (IOException noAnswer) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    JsonNode put(String path, String body) {
        HttpResponse<String> response = awaitDecision("PUT", path, body);
        assertThat(response.statusCode())
                .as("PUT %s: %s", path, response.body())
                .isEqualTo(200);
        return parse(response.body());
    }

    JsonNode post(String path, String body) {
        HttpResponse<String> response = awaitDecision("POST", path, body);
        assertThat(response.statusCode())
                .as("POST %s: %s", path, response.body())
                .isIn(200, 201);
        return parse(response.body());
    }

    /** Without a leader, or without an answer, the client repeats the same request. */
    HttpResponse<String> awaitDecision(String method, String path, String body) {
        return await().atMost(CellaProcess.PATIENCE)
                .until(
                        () -> tryToSend(method, path, body),
                        answer -> answer.isPresent() && answer.get().statusCode() != 503)
                .orElseThrow();
    }

    /** Repeats the request until the answer is as wanted, also while the cell is away for a moment. */
    JsonNode awaitAnswer(String path, Predicate<JsonNode> wanted) {
        List<JsonNode> last = new ArrayList<>();
        try {
            return await().atMost(CellaProcess.PATIENCE)
                    .ignoreExceptions()
                    .until(
                            () -> {
                                JsonNode answer = get(path);
                                last.clear();
                                last.add(answer);
                                return answer;
                            },
                            wanted);
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            throw new AssertionError("GET " + path + " never became as wanted; last: " + last, e);
        }
    }

    JsonNode awaitJob(String name, String state) {
        return awaitAnswer("/v1/jobs/" + name, job -> job.path("state").asText().equals(state));
    }

    JsonNode awaitTask(String task, String state) {
        return awaitAnswer(
                "/v1/tasks/" + task, row -> row.path("state").asText().equals(state));
    }

    /**
     * The version of the feed's snapshot. The feed keeps the changes from there on for a while for readers that come back.
     */
    long feedPlace() {
        HttpRequest request =
                request("/v1/feed").timeout(CellaProcess.PATIENCE).GET().build();
        return readData(request, data -> data.path("last").asBoolean()).stream()
                .mapToLong(data -> data.path("version").asLong())
                .max()
                .orElseThrow();
    }

    /** Reads the feed from a version on, until an event has the wanted data. Returns all events up to it. */
    List<JsonNode> readFeed(long from, Predicate<JsonNode> last) {
        HttpRequest request = request("/v1/feed?from=" + from)
                .timeout(CellaProcess.PATIENCE)
                .GET()
                .build();
        return readData(request, last);
    }

    private List<JsonNode> readData(HttpRequest request, Predicate<JsonNode> last) {
        try (Stream<String> lines =
                http.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
            List<JsonNode> events = new ArrayList<>();
            boolean seen = lines.filter(line -> line.startsWith("data:"))
                    .map(line -> parse(line.substring("data:".length())))
                    .peek(events::add)
                    .anyMatch(last);
            assertThat(seen).as("the feed ended before that: %s", events).isTrue();
            return events;
        } catch (IOException e) {
            throw new AssertionError("the feed broke", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while reading the feed", e);
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address.resolve(path)).timeout(ANSWER_MAX);
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request;
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(request.method() + " " + request.uri() + " failed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted during " + request.uri(), e);
        }
    }

    static JsonNode parse(String body) {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + body, e);
        }
    }
}
