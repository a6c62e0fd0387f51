package dev.cella.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A Chromium without a window, driven by the protocol of its developer tools: enough of it to open a page, ask it
 * something and take its picture.
 */
final class Browser implements AutoCloseable {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final String LISTENING = "DevTools listening on ";
    private static final long ANSWER_SECONDS_MAX = 20;

    private final Process process;
    private final WebSocket socket;
    private final ObjectMapper json = new ObjectMapper();
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> complaints = new ConcurrentLinkedQueue<>();
    private String session = "";

    private Browser(Process process, URI tools) throws Exception {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(tools, new Answers())
                .get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
    }

    /** Where a browser is installed, if one is. */
    static Optional<Path> installed() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static Browser start(Path program, Path profile) throws Exception {
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return new Browser(process, tools(process));
        } catch (Exception failure) {
            process.destroyForcibly();
            throw failure;
        }
    }

    private static URI tools(Process process) throws IOException {
        BufferedReader messages =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        for (String line = messages.readLine(); line != null; line = messages.readLine()) {
            if (line.startsWith(LISTENING)) {
                Thread rest = new Thread(() -> messages.lines().forEach(unread -> {}), "browser-messages");
                rest.setDaemon(true);
                rest.start();
                return URI.create(line.substring(LISTENING.length()));
            }
        }
        throw new IOException("the browser ended before it said where it listens");
    }

    /** As the form of the login page does it. */
    void login(String address, String token) throws Exception {
        attach();
        call(
                "Network.setCookie",
                parameters()
                        .put("url", address)
                        .put("name", "cella-token")
                        .put("value", token)
                        .put("httpOnly", true)
                        .put("sameSite", "Strict"));
    }

    /** Opens the page as a window of that size shows it, in light or dark. */
    void open(String address, int width, int height, String colours) throws Exception {
        attach();
        resize(width, height, colours);
        call("Page.navigate", parameters().put("url", address));
    }

    private void attach() throws Exception {
        if (session.isEmpty()) {
            String target = call("Target.createTarget", parameters().put("url", "about:blank"))
                    .path("targetId")
                    .asText();
            session = call(
                            "Target.attachToTarget",
                            parameters().put("targetId", target).put("flatten", true))
                    .path("sessionId")
                    .asText();
            call("Runtime.enable", parameters());
            call("Log.enable", parameters());
            call("Page.enable", parameters());
        }
    }

    void resize(int width, int height, String colours) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                parameters()
                        .put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", false));
        ObjectNode media = parameters();
        media.putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", colours);
        call("Emulation.setEmulatedMedia", media);
    }

    /** As the page is printed by someone whose screen has these colours. */
    void paper(String colours) throws Exception {
        ObjectNode media = parameters().put("media", "print");
        media.putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", colours);
        call("Emulation.setEmulatedMedia", media);
    }

    /** As someone sees the page who has that deficiency, such as {@code deuteranopia}. */
    void vision(String deficiency) throws Exception {
        call("Emulation.setEmulatedVisionDeficiency", parameters().put("type", deficiency));
    }

    /** From the next page on it is always that time there. */
    void stopTheClock(long millis) throws Exception {
        attach();
        call("Page.addScriptToEvaluateOnNewDocument", parameters().put("source", "Date.now = () => " + millis));
    }

    /** The times of day that the page shows are those of this zone. */
    void timeZone(String zone) throws Exception {
        call("Emulation.setTimezoneOverride", parameters().put("timezoneId", zone));
    }

    /** The value of an expression in the page, as text; of a promise what it is fulfilled with. */
    String evaluate(String expression) throws Exception {
        JsonNode answer = call(
                "Runtime.evaluate",
                parameters()
                        .put("expression", "Promise.resolve(" + expression + ").then(String)")
                        .put("awaitPromise", true)
                        .put("returnByValue", true));
        return answer.path("result").path("value").asText();
    }

    /** Moves the pointer to the middle of the element; what happens to it is {@code mousePressed} and the like. */
    void mouse(String event, String selector) throws Exception {
        String[] middle = evaluate(
                        "(each => { each.scrollIntoView({block: 'center'}); const box = each.getBoundingClientRect();"
                                + " return (box.x + box.width / 2) + ' ' + (box.y + box.height / 2); })(document.querySelector('"
                                + selector + "'))")
                .split(" ", -1);
        call(
                "Input.dispatchMouseEvent",
                parameters()
                        .put("type", event)
                        .put("x", Double.parseDouble(middle[0]))
                        .put("y", Double.parseDouble(middle[1]))
                        .put("button", event.equals("mouseMoved") ? "none" : "left")
                        .put("clickCount", event.equals("mouseMoved") ? 0 : 1));
    }

    void picture(Path file) throws Exception {
        JsonNode answer = call("Page.captureScreenshot", parameters().put("captureBeyondViewport", false));
        Files.write(file, Base64.getDecoder().decode(answer.path("data").asText()));
    }

    /** What the page logged as an error so far: exceptions, and what its policy forbade. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    private ObjectNode parameters() {
        return json.createObjectNode();
    }

    private JsonNode call(String method, ObjectNode parameters) throws Exception {
        int id = calls.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        ObjectNode call = json.createObjectNode().put("id", id).put("method", method);
        call.set("params", parameters);
        if (!session.isEmpty()) {
            call.put("sessionId", session);
        }
        socket.sendText(call.toString(), true).get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
        return answer.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
    }

    private final class Answers implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                take(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }

        private void take(String message) {
            try {
                JsonNode read = json.readTree(message);
                CompletableFuture<JsonNode> asked =
                        answers.remove(read.path("id").asInt());
                if (asked != null) {
                    asked.complete(read.path("result"));
                } else {
                    note(read.path("method").asText(), read.path("params"));
                }
            } catch (IOException notJson) {
                complaints.add(message);
            }
        }

        private void note(String method, JsonNode event) {
            if (method.equals("Runtime.exceptionThrown")) {
                complaints.add(event.path("exceptionDetails").toString());
            } else if (method.equals("Log.entryAdded")
                    && event.path("entry").path("level").asText().equals("error")) {
                complaints.add(event.path("entry").path("text").asText());
            }
        }
    }

    @Override
    public void close() {
        socket.abort();
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly().onExit().join();
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
