package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cella.bench.cell.BrowserProcess;
import dev.cella.cli.part.MachineName;
import dev.cella.cli.terminal.TypedCommand;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirDeletionStrategy;

/**
 * The page at the address of a cell, as a browser draws it; where none is installed, these tests say so and are passed
 * over.
 */
@EnabledOnOs(OS.LINUX)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class DashboardTest {
    private static final String HELLO =
            Path.of("../examples/hello.yaml").toAbsolutePath().toString();
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String CONNECTION = "document.querySelector('#connection').dataset.state";

    /** The links to tables as JSON and CSV that the server does not answer. One by one: a replay at a time. */
    private static final String UNREADABLE_DATA = """
        [...document.querySelectorAll('#view .data a:not([href^="#"])')].reduce((before, link) => before
          .then(faults => fetch(link.href).then(answer => answer.ok ? faults : [...faults, link.href + ' ' + answer.status])),
          Promise.resolve([])).then(faults => JSON.stringify(faults))""";

    /** What the browser's own children still write when it is ended cannot fail a test. */
    @TempDir(deletionStrategy = TempDirDeletionStrategy.IgnoreFailures.class)
    private static Path home;

    /** Both tests have one browser, each in a window of its own, and one cell. */
    private static @Nullable BrowserProcess process;

    private static @Nullable DevProcess dev;

    @BeforeAll
    static void startABrowserAndACell() throws Exception {
        assumeTrue(
                Browser.installed().isPresent(),
                "NO CHROMIUM IS INSTALLED: the console was not looked at (apt-get install chromium)");
        process = BrowserProcess.open(Browser.installed().orElseThrow(), Browser.BLANK);
        dev = DevProcess.start(home, "--port", "0", "--data", data(), "--machines", "40");
    }

    @AfterAll
    static void endThem() throws Exception {
        if (dev != null) {
            dev.close();
        }
        if (process != null) {
            process.close();
        }
    }

    private static String data() {
        return home.resolve("data").toString();
    }

    private static Browser open(DevProcess dev) throws Exception {
        Browser browser = Browser.windowOf(Objects.requireNonNull(process));
        browser.login("http://127.0.0.1:" + dev.port() + "/", dev.token());
        browser.open("http://127.0.0.1:" + dev.port() + "/", 1200, 900, "light");
        awaitText(browser, CONNECTION, "live");
        return browser;
    }

    @Test
    void aTokenInTheAddress_isInTheForm_andLeavesTheAddress() throws Exception {
        DevProcess running = Objects.requireNonNull(dev);
        try (Browser browser = Browser.windowOf(Objects.requireNonNull(process))) {
            browser.open("http://127.0.0.1:" + running.port() + "/#token=" + running.token(), 1200, 900, "light");
            awaitText(browser, "document.querySelector('[name=token]').value", running.token());
            browser.evaluate("document.querySelector('form button').click()");
            awaitText(browser, CONNECTION, "live");
            assertThat(browser.evaluate("location.href")).doesNotContain(running.token());
            assertThat(browser.evaluate("sessionStorage.length")).isEqualTo("0");
        }
    }

    @Test
    void aLoginForTheBrowser_takesThePlaceOfTheTokenOfItsTab() throws Exception {
        DevProcess running = Objects.requireNonNull(dev);
        try (Browser browser = open(running)) {
            browser.evaluate("sessionStorage.setItem('cella-token', 'revoked'), location.reload()");
            awaitText(browser, "document.querySelector('#token').hidden", "false");
            browser.login("http://127.0.0.1:" + running.port() + "/login", running.token());
            awaitText(browser, CONNECTION, "live");
            assertThat(browser.evaluate("sessionStorage.length")).isEqualTo("0");
        }
    }

    /** The last test: it leaves a cell that has lost its hollow machines. */
    @Test
    @Order(Integer.MAX_VALUE)
    void thePage_showsMachinesAndJobs_andGoesOnAfterTheServerWasAway() throws Exception {
        DevProcess first = Objects.requireNonNull(dev);
        String port = Integer.toString(first.port());
        try (Browser browser = open(first)) {
            awaitText(browser, "document.querySelector('#machine-count').textContent", "41");
            assertThat(type("job", "run", HELLO, "--wait")).isZero();
            awaitText(browser, jobRow("hello"), "FINISHED");
            view(browser, "#/jobs/hello?task=hello%2Fmain%2F0");
            awaitHas(browser, "document.querySelector('.log').textContent", "hello from task 0");
            awaitHas(browser, "document.querySelector('.lanes').textContent", "main/0");
            first.stop();
            awaitText(browser, CONNECTION, "lost");
            awaitHas(browser, "document.querySelector('#connection').textContent", "this is as of");
            assertThat(browser.evaluate("document.body.classList.contains('stale')"))
                    .isEqualTo("true");

            DevProcess again = DevProcess.start(home, "--port", port, "--data", data());
            dev = again;
            awaitText(browser, CONNECTION, "live");
            view(browser, "#/");
            awaitText(browser, jobRow("hello"), "FINISHED");
            awaitText(browser, "document.querySelector('#machine-count').textContent", "1");
            assertThat(browser.complaints()).noneMatch(complaint -> complaint.contains("Content Security Policy"));
            again.stop();
        }
    }

    @Test
    @Timeout(value = 6, unit = TimeUnit.MINUTES) // fourteen views, each in two colours
    void everyView_canBeReadAloud_andSaysWhatItCannotShow() throws Exception {
        DevProcess running = Objects.requireNonNull(dev);
        try (Browser browser = open(running)) {
            long basis = submitLate(running);
            assertThat(type("job", "run", HELLO)).isZero();
            awaitText(browser, jobRow("hello"), "FINISHED");
            loseToBatch(running, basis);
            awaitText(browser, "document.querySelector('#matrix table').textContent", "lost by \\ won bybatchlate1");
            long lostAt = call(running, "/v1/conflicts/ledger", HttpRequest.Builder::GET)
                    .at("/conflicts/0/version")
                    .asLong();
            browser.evaluate("eval(" + JSON.writeValueAsString(axe()) + ")");
            everyViewCanBeRead(browser, lostAt);
            theKeyboardOpensViews(browser);
            missingPast_getsAnHonestPage(browser);
            thePastIsShown(browser, basis);
            thePastIsPlayed(browser, basis);
            aReportIsSmallEnough(browser);
        }
    }

    private static void everyViewCanBeRead(Browser browser, long lostAt) throws Exception {
        String machine = MachineName.ofThisMachine();
        Map<String, String> views = new LinkedHashMap<>();
        views.put("#/", "#matrix table");
        views.put("#/conflicts", ".conflicts td");
        views.put("#/conflicts/" + lostAt, ".photo .lane");
        views.put("#/what-if?conflictRule=RESOURCE", "li");
        views.put("#/jobs", ".virtual td a");
        views.put("#/jobs/hello", ".track");
        views.put("#/tasks?job=hello", ".virtual td a");
        views.put("#/machines", ".virtual td a");
        views.put("#/machines/" + machine, ".columns table");
        views.put("#/schedulers", "section td a");
        views.put("#/schedulers/late", ".columns table");
        views.put("#/pools", "#view section");
        views.put("#/members", "#view td");
        views.put("#/calls", "section td");
        for (Map.Entry<String, String> each : views.entrySet()) {
            view(browser, each.getKey());
            awaitText(browser, "document.querySelector('" + each.getValue() + "') !== null", "true");
            assertThat(browser.evaluate(UNREADABLE_DATA)).as(each.getKey()).isEqualTo("[]");
            browser.resize(1200, 900, "light");
            assertThat(browser.evaluate(serious("{}"))).as(each.getKey()).isEqualTo("[]");
            browser.resize(1200, 900, "dark");
            assertThat(browser.evaluate(serious("{runOnly: ['color-contrast']}")))
                    .as(each.getKey() + " in dark")
                    .isEqualTo("[]");
        }
        browser.resize(1200, 900, "light");
        assertThat(browser.complaints())
                .noneMatch(complaint -> complaint.contains("TypeError")
                        || complaint.contains("ReferenceError")
                        || complaint.contains("Content Security Policy"));
    }

    /** What axe-core finds that is serious or critical. */
    private static String serious(String options) {
        return "axe.run(document, " + options + ").then(result =>"
                + " JSON.stringify(result.violations.filter(each => ['serious', 'critical'].includes(each.impact))"
                + ".map(each => each.id + ' ' + each.nodes.slice(0, 3).map(node => node.html.slice(0, 160)))))";
    }

    private static void theKeyboardOpensViews(Browser browser) throws Exception {
        view(browser, "#/");
        press(browser, "g", "j");
        awaitText(browser, "location.hash", "#/jobs");
        press(browser, "?");
        awaitHas(browser, "document.querySelector('dialog').textContent", "conflicts");
        browser.evaluate("document.querySelector('dialog').close()");
        press(browser, "/");
        awaitText(browser, "document.activeElement.type", "search");
        browser.evaluate("document.activeElement.blur()");
    }

    private static void missingPast_getsAnHonestPage(Browser browser) throws Exception {
        for (String gone : List.of("#/jobs/nosuch", "#/machines/nosuch", "#/conflicts/1", "#/nosuch")) {
            view(browser, gone);
            awaitText(browser, "document.querySelector('.problem a[href^=\"#/\"]') !== null", "true");
        }
        view(browser, "#/tasks?job=nosuch");
        awaitHas(browser, "document.querySelector('#view .empty').textContent", "No task fits");
        view(browser, "#/conflicts?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z");
        awaitHas(browser, "document.querySelector('.summary').textContent", "0 claims lost");
        view(browser, "#/?at=99999999");
        awaitHas(browser, "document.querySelector('.scrubber output').textContent", "is not kept");
    }

    private static void thePastIsShown(Browser browser, long basis) throws Exception {
        view(browser, "#/?at=" + basis);
        awaitText(browser, "document.body.classList.contains('past')", "true");
        awaitText(browser, jobRow("hello"), "undefined");
        press(browser, "n");
        awaitText(browser, jobRow("hello"), "FINISHED");
    }

    /** Step by step until somebody pauses, and from conflict to conflict. */
    private static void thePastIsPlayed(Browser browser, long basis) throws Exception {
        String shown = "document.querySelector('.scrubber output').textContent";
        String play = "document.querySelector('.scrubber button')";
        view(browser, "#/");
        press(browser, "n");
        awaitText(browser, shown, "now");
        browser.evaluate(play + ".click()");
        awaitText(browser, play + ".textContent", "pause");
        awaitHas(browser, shown, "version ");
        String first = browser.evaluate(shown);
        awaitText(browser, shown + " !== '" + first + "'", "true");
        browser.evaluate(play + ".click()");
        awaitText(browser, play + ".textContent", "play");

        press(browser, "n", "[");
        awaitHas(browser, shown, "late lost ");
        press(browser, "[");
        awaitText(browser, shown, "no conflict there is kept");
        view(browser, "#/?at=" + basis);
        awaitHas(browser, shown, "version " + basis);
        press(browser, "]");
        awaitHas(browser, shown, "late lost ");
        press(browser, "n");
    }

    private static void aReportIsSmallEnough(Browser browser) throws Exception {
        String bytes = browser.evaluate("import('/dashboard/export.js').then(module => module.saveReport("
                + "{name: 'dev', version: 1}, document.querySelector('#view')))");
        assertThat(Integer.parseInt(bytes)).isBetween(5_000, 3_000_000);
    }

    private static void view(Browser browser, String hash) throws Exception {
        browser.evaluate("location.hash = '" + hash + "'");
    }

    private static void press(Browser browser, String... keys) throws Exception {
        for (String key : keys) {
            browser.evaluate(
                    "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '" + key + "', bubbles: true}))");
        }
    }

    /** The checked text of axe-core. */
    private static String axe() throws Exception {
        Path file = Path.of("../third_party/axe-core/axe.min.js");
        byte[] text = Files.readAllBytes(file);
        String sum =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        assertThat(Files.readString(file.resolveSibling("SHA256SUMS"))).startsWith(sum);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** A job that no scheduler of the cell plans; the version at which it is there. */
    private static long submitLate(DevProcess dev) throws Exception {
        Path job = Files.writeString(home.resolve("late.yaml"), """
            name: late
            type: batch
            scheduler: late
            groups:
              - resources: {cpuMilli: 10, memoryMib: 16}
                run: {command: [echo]}
            """);
        assertThat(type("job", "run", job.toString())).isZero();
        return call(dev, "/v1/cell", HttpRequest.Builder::GET).path("version").asLong();
    }

    /** Plans it as of then on the machine where batch has placed meanwhile. */
    private static void loseToBatch(DevProcess dev, long basis) throws Exception {
        String transaction = """
            {"id": "late-1", "scheduler": "late", "basis": %d, "conflictRule": "MACHINE",
             "claims": [{"task": "late/main/0", "machine": "%s"}]}\
            """.formatted(basis, MachineName.ofThisMachine());
        JsonNode outcome = call(
                dev, "/v1/transactions", request -> request.POST(HttpRequest.BodyPublishers.ofString(transaction)));
        assertThat(outcome.path("results").path(0).path("reason").asText())
                .as(outcome.toString())
                .isEqualTo("MACHINE_CHANGED");
    }

    private static JsonNode call(DevProcess dev, String path, UnaryOperator<HttpRequest.Builder> method)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + dev.port() + path))
                .header("Authorization", "Bearer " + dev.token())
                .header("Content-Type", "application/json");
        return JSON.readTree(HttpClient.newHttpClient()
                .send(method.apply(request).build(), HttpResponse.BodyHandlers.ofString())
                .body());
    }

    private static String jobRow(String job) {
        return "[...document.querySelectorAll('#jobs tbody tr')].find(row => row.cells[0].textContent === '" + job
                + "')?.cells[2].textContent";
    }

    private static void awaitText(Browser browser, String expression, String expected) {
        await(expression)
                .atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(browser.evaluate(expression)).isEqualTo(expected));
    }

    private static void awaitHas(Browser browser, String expression, String part) {
        await(expression)
                .atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(browser.evaluate(expression)).contains(part));
    }

    private static int type(String... arguments) {
        return new CellaCommand(new TypedCommand(home).terminal()).run(arguments);
    }
}
