package dev.cella.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * The console's own files before a recorded cell: every answer is fixed, so pictures can be compared, and a state that a real
 * cell takes minutes to reach is there at once. Answers may be replaced, and the feed can be cut.
 */
final class RecordedConsole implements AutoCloseable {
    private static final String FILES = "/dev/cella/state/web/dashboard/";

    /** The rules that browsers enforce for the console's documents, from the file in which the server has them. */
    private static final String POLICY = policy();

    private static final String RECORDING = "/console/recording.json.gz";
    private static final long HEARTBEAT_SECONDS = 3;
    private static final int PAGE = 1_000;
    private static final long ANSWER_SECONDS_MAX = 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ObjectNode recording;
    private final Map<String, Integer> refusals = new HashMap<>();
    private final Set<String> brokenOff = new HashSet<>();
    private final Map<String, Held> held = new HashMap<>();
    private CountDownLatch feedIsCut = new CountDownLatch(1);
    private final List<BlockingQueue<String>> outputs = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    private int manyTasks;
    private int endedTasks;

    /** A path whose requests wait: {@code begun} tells of the first of them, {@code released} ends their wait. */
    private record Held(CountDownLatch begun, CountDownLatch released) {
        Held() {
            this(new CountDownLatch(1), new CountDownLatch(1));
        }
    }

    RecordedConsole() throws IOException {
        try (InputStream in = new GZIPInputStream(file(RECORDING))) {
            recording = (ObjectNode) JSON.readTree(in);
        }
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private static InputStream file(String path) {
        return Objects.requireNonNull(RecordedConsole.class.getResourceAsStream(path), path);
    }

    private static String policy() {
        try (InputStream in = file(FILES + "policy.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace('\n', ' ')
                    .strip();
        } catch (IOException failure) {
            throw new UncheckedIOException("reading the policy", failure);
        }
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    /** The recorded name of that kind: a job, a machine, a scheduler, the version of a conflict. */
    String name(String kind) {
        return recording.path("names").path(kind).asText();
    }

    /** When the recording was made. */
    long recordedMillis() {
        return Instant.parse(recording.path("/v1/conflicts").path("toAt").asText())
                .toEpochMilli();
    }

    // ---- what a test changes

    /**
     * From now on this path is refused with that status, or one method of it, such as {@code DELETE /v1/jobs/a}, or one query,
     * such as {@code /v1/tasks?limit=9}.
     */
    synchronized void refuse(String path, int status) {
        refusals.put(path, status);
    }

    /** Puts these fields into the recorded answer at that place, such as {@code /v1/jobs/{job}}. */
    synchronized void say(String path, String place, String fields) throws IOException {
        ((ObjectNode) recording.path(path).at(place)).setAll((ObjectNode) JSON.readTree(fields));
    }

    /** Lists the rows of a recorded answer the other way round. */
    synchronized void reverse(String path, String place) {
        ArrayNode rows = (ArrayNode) recording.path(path).at(place);
        for (int from = rows.size() - 1; from >= 0; from--) {
            rows.add(rows.remove(from));
        }
    }

    /** The task whose output is followed writes this. */
    void print(String text) {
        outputs.forEach(output -> output.add(text));
    }

    /** The connections break by which output is followed. */
    void breakTheOutput() {
        print("");
    }

    /** The next request that would have changed the cell: method, path and body. */
    String command() throws InterruptedException {
        return String.valueOf(commands.poll(ANSWER_SECONDS_MAX, TimeUnit.SECONDS));
    }

    /** From now on the answers of this path break off after their first byte. */
    synchronized void breakOff(String path) {
        brokenOff.add(path);
    }

    synchronized void refuseNothing() {
        refusals.clear();
        brokenOff.clear();
    }

    /** From now on requests for this path wait for their answer, until they are released. */
    synchronized void hold(String path) {
        held.put(path, new Held());
    }

    /** Waits until a request for that path waits. */
    boolean isHeld(String path) throws InterruptedException {
        CountDownLatch begun;
        synchronized (this) {
            begun = Objects.requireNonNull(held.get(path), path).begun();
        }
        return begun.await(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
    }

    synchronized void release(String path) {
        Objects.requireNonNull(held.remove(path), path).released().countDown();
    }

    synchronized void cutTheFeed() {
        feedIsCut.countDown();
        feedIsCut = new CountDownLatch(1);
    }

    /** The cell of another history: one machine, nothing else. */
    synchronized void becomeAnotherIncarnation() {
        ((ObjectNode) recording.path("/v1/cell")).put("incarnation", "0000000000000002");
        ArrayNode changes = changes();
        JsonNode machine = changes.get(0);
        changes.removeAll().add(machine);
    }

    private ArrayNode changes() {
        return (ArrayNode) recording.path("/v1/feed").path("snapshot").path("changes");
    }

    /** Replaces machines and jobs with copies of the first of each, and lists that many tasks. */
    synchronized void grow(int machines, int jobs, int tasks) {
        ArrayNode changes = changes();
        JsonNode machine = first("MACHINE");
        JsonNode job = first("JOB");
        changes.removeAll();
        for (int number = 0; number < machines; number++) {
            changes.add(copy(machine, String.format(Locale.ROOT, "node-%05d", number)));
        }
        for (int number = 0; number < jobs; number++) {
            changes.add(copy(job, String.format(Locale.ROOT, "work-%06d", number)));
        }
        manyTasks = tasks;
    }

    /** The first of the many tasks have ended. */
    synchronized void end(int tasks) {
        endedTasks = tasks;
    }

    private JsonNode first(String kind) {
        for (JsonNode change : changes()) {
            if (change.path("kind").asText().equals(kind)) {
                return change;
            }
        }
        throw new IllegalStateException("no " + kind + " was recorded");
    }

    private static JsonNode copy(JsonNode change, String name) {
        ObjectNode copy = change.deepCopy();
        copy.put("name", name);
        ((ObjectNode) copy.path("row")).put("name", name);
        return copy;
    }

    // ---- answers

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        await(path);
        Integer refused;
        boolean isBrokenOff;
        synchronized (this) {
            isBrokenOff = brokenOff.contains(path);
            refused = Stream.of(
                            exchange.getRequestMethod() + " " + path,
                            exchange.getRequestURI().toString(),
                            path)
                    .map(refusals::get)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
        if (isBrokenOff) {
            sendAPart(exchange);
        } else if (refused != null) {
            send(exchange, refused, "application/problem+json", problem(refused));
        } else if (path.equals("/v1/feed")) {
            feed(exchange);
        } else if (path.endsWith(":logs")) {
            logs(exchange);
        } else if (!exchange.getRequestMethod().equals("GET")) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            commands.add((exchange.getRequestMethod() + " " + path + " " + body).strip());
            send(exchange, 200, "application/json", "{}".getBytes(StandardCharsets.UTF_8));
        } else if (path.startsWith("/v1/") || path.equals("/openapi.json")) {
            JsonNode answer = recorded(exchange);
            int status = answer.path("_status").asInt(200);
            send(exchange, status, "application/json", JSON.writeValueAsBytes(answer));
        } else {
            String name = path.equals("/") ? "index.html" : path.substring(path.lastIndexOf('/') + 1);
            try (InputStream in = RecordedConsole.class.getResourceAsStream(FILES + name)) {
                byte[] bytes = in == null ? new byte[0] : in.readAllBytes();
                send(exchange, in == null ? 404 : 200, type(name), bytes);
            }
        }
    }

    private void await(String path) throws IOException {
        Held here;
        synchronized (this) {
            here = held.get(path);
        }
        if (here == null) {
            return;
        }
        here.begun().countDown();
        try {
            here.released().await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("the console was closed before it answered " + path, stopped);
        }
    }

    private static String type(String name) {
        return Map.of(
                        "html",
                        "text/html; charset=utf-8",
                        "css",
                        "text/css",
                        "svg",
                        "image/svg+xml",
                        "js",
                        "text/javascript")
                .getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain");
    }

    private static byte[] problem(int status) throws IOException {
        String title = Map.of(401, "Unauthorized", 403, "Forbidden", 404, "Not found", 410, "Gone")
                .getOrDefault(status, "Not now");
        return JSON.writeValueAsBytes(Map.of(
                "type",
                "/problems/" + status,
                "title",
                title,
                "status",
                status,
                "detail",
                "The recorded cell refuses this with " + status,
                "hint",
                "a hint of the server"));
    }

    private synchronized JsonNode recorded(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        if (path.equals("/v1/tasks") && manyTasks > 0) {
            return manyTasks(query);
        }
        if (path.startsWith("/v1/tasks/") && manyTasks > 0) {
            String task = path.substring("/v1/tasks/".length());
            return taskRow(task, Integer.parseInt(task.substring(task.lastIndexOf('/') + 1)));
        }
        if (path.equals("/v1/tasks") && query.contains("state=")) {
            return inState(query.replaceAll(".*state=([A-Z]+).*", "$1"));
        }
        String general = path.replace("/v1/jobs/" + name("job"), "/v1/jobs/{job}")
                .replace("/v1/machines/" + name("machine"), "/v1/machines/{machine}");
        for (String key : List.of("job", "machine")) {
            boolean isOfOne = path.equals("/v1/timeline") || path.equals("/v1/series");
            general = isOfOne && query.startsWith(key + "=") ? path + "?" + key : general;
        }
        JsonNode found = recording.path(general);
        return found.isMissingNode() ? notFound(path) : found;
    }

    private static JsonNode notFound(String path) {
        return JSON.createObjectNode()
                .put("_status", 404)
                .put("title", "Not found")
                .put("detail", "There is no " + path)
                .put("hint", "look in the list");
    }

    /** The recorded tasks, as if all were in that state. */
    private JsonNode inState(String state) {
        JsonNode tasks = recording.path("/v1/tasks").deepCopy();
        tasks.path("tasks").forEach(task -> ((ObjectNode) task).put("state", state));
        return tasks;
    }

    /** Pages of tasks; the token is the place of the next one, and the states that are asked for. */
    private JsonNode manyTasks(String query) {
        Map<String, String> asked = new HashMap<>();
        for (String parameter : query.split("&", -1)) {
            asked.put(parameter.replaceAll("=.*", ""), parameter.replaceAll(".*?=", ""));
        }
        String[] token = asked.getOrDefault("pageToken", "0-" + asked.getOrDefault("state", "FINISHED,RUNNING"))
                .split("-", -1);
        List<Integer> numbers = IntStream.range(0, manyTasks)
                .filter(number -> token[1].contains(stateOf(number)))
                .boxed()
                .toList();
        int from = Integer.parseInt(token[0]);
        int to = Math.min(numbers.size(), from + PAGE);
        ObjectNode page = JSON.createObjectNode();
        ArrayNode tasks = page.putArray("tasks");
        for (int number : numbers.subList(from, to)) {
            tasks.add(taskRow("work-000001/main/" + number, number));
        }
        if (to < numbers.size()) {
            page.put("nextPageToken", to + "-" + token[1]);
        }
        return page;
    }

    private ObjectNode taskRow(String name, int number) {
        ObjectNode task = JSON.createObjectNode()
                .put("task", name)
                .put("state", stateOf(number))
                .put("attempt", 1)
                .put("machine", "node-00001");
        task.putObject("resources").put("cpuMilli", 500);
        return task;
    }

    private String stateOf(int number) {
        return number < endedTasks ? "FINISHED" : "RUNNING";
    }

    /** A snapshot and figures; then heartbeats until it is cut. A version of the past is not kept. */
    private void feed(HttpExchange exchange) throws IOException {
        CountDownLatch cut;
        byte[] begin;
        synchronized (this) {
            cut = feedIsCut;
            JsonNode feed = recording.path("/v1/feed");
            boolean isOfThePast =
                    String.valueOf(exchange.getRequestURI().getQuery()).contains("at=");
            begin = (isOfThePast
                            ? event(
                                    "resync",
                                    JSON.createObjectNode()
                                            .put("reason", "version 1 is no longer kept; the oldest is 42"))
                            : event("snapshot", feed.path("snapshot")) + event("figures", feed.path("figures")))
                    .getBytes(StandardCharsets.UTF_8);
        }
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(begin);
            out.flush();
            while (!cut.await(HEARTBEAT_SECONDS, TimeUnit.SECONDS)) {
                out.write(event("heartbeat", JSON.createObjectNode()).getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** One line, and then what the test prints. A stream that is cut breaks off without an end. */
    private void logs(HttpExchange exchange) throws IOException {
        BlockingQueue<String> output = new LinkedBlockingQueue<>();
        outputs.add(output);
        exchange.getResponseHeaders().add("Content-Type", "text/plain");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        try {
            for (String text = "the recorded task wrote this line\n"; !text.isEmpty(); text = output.take()) {
                out.write(text.getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            outputs.remove(output);
        }
        throw new IOException("the output breaks off");
    }

    private static String event(String name, JsonNode data) throws IOException {
        return "event: " + name + "\ndata: " + JSON.writeValueAsString(data) + "\n\n";
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.getResponseHeaders().add("Content-Security-Policy", POLICY);
        exchange.getResponseHeaders().add("Cache-Control", "no-cache");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static void sendAPart(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 2);
        exchange.getResponseBody().write('{');
        exchange.getResponseBody().flush();
        throw new IOException("the answer breaks off");
    }

    @Override
    public void close() {
        cutTheFeed();
        server.stop(0);
        threads.shutdownNow();
    }
}
