package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cella.bench.cell.BrowserProcess;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

/**
 * A window of a Chromium that nobody sees, driven by the protocol of its developer tools: enough of it to open a page, ask
 * it something and take its picture.
 */
final class Browser implements AutoCloseable {
    /** A page without anything. */
    static final String BLANK = "about:blank";

    private static final long ANSWER_SECONDS_MAX = 20;

    private final Closeable process;
    private final WebSocket socket;
    private final ObjectMapper json = new ObjectMapper();
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> complaints = new ConcurrentLinkedQueue<>();
    private String context = "";
    private String session = "";

    private Browser(URI tools, Closeable process) throws Exception {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(tools, new Answers())
                .get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
    }

    /** Where a browser is installed, if one is. */
    static Optional<Path> installed() {
        return BrowserProcess.installed();
    }

    /** A browser of its own, with one window. */
    static Browser start(Path program) throws Exception {
        BrowserProcess process = BrowserProcess.open(program, BLANK);
        try {
            return new Browser(process.tools(), process);
        } catch (Exception failure) {
            process.close();
            throw failure;
        }
    }

    /** Another window of that browser, which shares no cookies and no storage with others. */
    static Browser windowOf(BrowserProcess process) throws Exception {
        return new Browser(process.tools(), () -> {});
    }

    /** Types the token into the form at the address of a closed cell and sends it, as a person does. */
    void login(String address, String token) throws Exception {
        open(address, 1200, 900, "light");
        awaitTrue("document.readyState === 'complete' && document.querySelector('input[name=token]') !== null");
        evaluate("document.querySelector('input[name=token]').focus()");
        call("Input.insertText", parameters().put("text", token));
        mouse("mousePressed", "button");
        mouse("mouseReleased", "button");
        awaitTrue("document.querySelector('#connection') !== null");
    }

    private void awaitTrue(String expression) {
        await(expression)
                .atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(evaluate(expression))
                        .as(evaluate("document.body?.textContent.slice(0, 300)"))
                        .isEqualTo("true"));
    }

    /** Opens the page as a window of that size shows it, in light or dark. */
    void open(String address, int width, int height, String colours) throws Exception {
        attach();
        resize(width, height, colours);
        call("Page.navigate", parameters().put("url", address));
    }

    private void attach() throws Exception {
        if (session.isEmpty()) {
            context = call("Target.createBrowserContext", parameters())
                    .path("browserContextId")
                    .asText();
            String target = call(
                            "Target.createTarget",
                            parameters().put("url", "about:blank").put("browserContextId", context))
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
            call("Emulation.setFocusEmulationEnabled", parameters().put("enabled", true));
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
        runFirst("Date.now = () => " + millis);
    }

    /** From the next page on this script runs before those of the page. */
    void runFirst(String script) throws Exception {
        attach();
        call("Page.addScriptToEvaluateOnNewDocument", parameters().put("source", script));
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

    /** Presses Enter where the focus is, as a person does it. */
    void enter() throws Exception {
        for (String event : List.of("keyDown", "keyUp")) {
            call(
                    "Input.dispatchKeyEvent",
                    parameters()
                            .put("type", event)
                            .put("key", "Enter")
                            .put("code", "Enter")
                            .put("text", event.equals("keyDown") ? "\r" : "")
                            .put("windowsVirtualKeyCode", 13));
        }
    }

    void picture(Path file) throws Exception {
        JsonNode answer = call(
                "Page.captureScreenshot",
                parameters().put("captureBeyondViewport", false).put("optimizeForSpeed", true));
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
        send(id, method, parameters).get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
        return answer.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
    }

    private CompletableFuture<WebSocket> send(int id, String method, ObjectNode parameters) {
        ObjectNode call = json.createObjectNode().put("id", id).put("method", method);
        call.set("params", parameters);
        if (!session.isEmpty()) {
            call.put("sessionId", session);
        }
        return socket.sendText(call.toString(), true);
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
    public void close() throws IOException {
        if (!context.isEmpty()) {
            session = "";
            send(
                            calls.incrementAndGet(),
                            "Target.disposeBrowserContext",
                            parameters().put("browserContextId", context))
                    .join();
        }
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        process.close();
    }
}
