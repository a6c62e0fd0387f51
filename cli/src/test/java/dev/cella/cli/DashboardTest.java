package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cella.cli.part.MachineName;
import dev.cella.cli.terminal.TypedCommand;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirDeletionStrategy;

/** The page at the address of a cell, as a browser draws it; where none is installed, these tests say so and are passed over. */
@EnabledOnOs(OS.LINUX)
final class DashboardTest {
    private static final String HELLO =
            Path.of("../examples/hello.yaml").toAbsolutePath().toString();
    private static final String CONNECTION = "document.querySelector('#connection').dataset.state";

    /** What the browser's own children still write when it is ended cannot fail a test. */
    @TempDir(deletionStrategy = TempDirDeletionStrategy.IgnoreFailures.class)
    private Path home;

    @BeforeAll
    static void thereIsABrowser() {
        assumeTrue(Browser.installed().isPresent(), "no Chromium is installed: the dashboard was not looked at");
    }

    @Test
    void thePage_showsMachinesAndJobs_andGoesOnAfterTheServerWasAway() throws Exception {
        String data = home.resolve("data").toString();
        try (Browser browser = Browser.start(Browser.installed().orElseThrow(), home.resolve("profile"))) {
            int port;
            try (DevProcess dev = DevProcess.start(home, "--port", "0", "--data", data, "--machines", "6")) {
                port = dev.port();
                browser.open("http://127.0.0.1:" + port + "/", 1200, 900, "light");
                awaitText(browser, CONNECTION, "live");
                awaitText(browser, "document.querySelector('#machine-count').textContent", "7");
                assertThat(type("job", "run", HELLO, "--wait")).isZero();
                awaitText(browser, jobRow("hello"), "FINISHED");
                assertThat(browser.evaluate("document.querySelector('#feed ol').textContent"))
                        .contains("FINISHED hello/main/0");
                dev.stop();
            }
            awaitText(browser, CONNECTION, "lost");

            try (DevProcess again = DevProcess.start(home, "--port", Integer.toString(port), "--data", data)) {
                awaitText(browser, CONNECTION, "live");
                awaitText(browser, jobRow("hello"), "FINISHED");
                awaitText(browser, "document.querySelector('#machine-count').textContent", "1");
                assertThat(browser.complaints()).noneMatch(complaint -> complaint.contains("Content Security Policy"));
                again.stop();
            }
        }
    }

    @Test
    void atEveryWidth_nothingIsCutOff_inLightAndDark() throws Exception {
        try (Browser browser = Browser.start(Browser.installed().orElseThrow(), home.resolve("profile"));
                DevProcess dev = DevProcess.start(home, "--port", "0", "--machines", "40")) {
            browser.open("http://127.0.0.1:" + dev.port() + "/", 1200, 900, "light");
            awaitText(browser, CONNECTION, "live");
            long basis = submitLate(dev.port());
            assertThat(type("job", "run", HELLO)).isZero();
            awaitText(browser, jobRow("hello"), "FINISHED");
            loseToBatch(dev.port(), basis);
            awaitText(browser, "document.querySelector('#matrix').textContent", "lost by \\ won bybatchlate1");
            String light = browser.evaluate("getComputedStyle(document.body).backgroundColor");
            for (int width : new int[] {360, 768, 1600}) {
                browser.resize(width, 800, "dark");
                assertThat(browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
                        .as("nothing is wider than %d", width)
                        .isEqualTo("true");
                assertThat(browser.evaluate("document.querySelector('#jobs td.name').offsetHeight < 40"))
                        .as("at %d the name of a job is not broken", width)
                        .isEqualTo("true");
                assertThat(browser.evaluate(
                                "[...document.querySelectorAll('.key')].every(key => key.offsetHeight < 30)"))
                        .as("at %d a colour stands beside what it means", width)
                        .isEqualTo("true");
            }
            assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
                    .isNotEqualTo(light);
            dev.stop();
        }
    }

    /** A job that no scheduler of the cell plans; the version at which it is there. */
    private long submitLate(int port) throws Exception {
        Path job = Files.writeString(home.resolve("late.yaml"), """
                name: late
                type: batch
                scheduler: late
                groups:
                  - resources: {cpuMilli: 10, memoryMib: 16}
                    run: {command: [echo]}
                """);
        assertThat(type("job", "run", job.toString())).isZero();
        return call(port, "/v1/cell", HttpRequest.Builder::GET).path("version").asLong();
    }

    /** Plans it as of then on the machine where batch has placed meanwhile. */
    private static void loseToBatch(int port, long basis) throws Exception {
        String transaction = """
                {"id": "late-1", "scheduler": "late", "basis": %d, "conflictRule": "MACHINE",
                 "claims": [{"task": "late/main/0", "machine": "%s"}]}""".formatted(basis, MachineName.ofThisMachine());
        JsonNode outcome = call(
                port, "/v1/transactions", request -> request.POST(HttpRequest.BodyPublishers.ofString(transaction)));
        assertThat(outcome.path("results").path(0).path("reason").asText())
                .as(outcome.toString())
                .isEqualTo("MACHINE_CHANGED");
    }

    private static JsonNode call(int port, String path, UnaryOperator<HttpRequest.Builder> method) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Content-Type", "application/json");
        return new ObjectMapper()
                .readTree(HttpClient.newHttpClient()
                        .send(method.apply(request).build(), HttpResponse.BodyHandlers.ofString())
                        .body());
    }

    private static String jobRow(String job) {
        return "[...document.querySelectorAll('#jobs tbody tr')].find(row => row.cells[0].textContent === '" + job
                + "')?.cells[2].textContent";
    }

    private static void awaitText(Browser browser, String expression, String expected) {
        await(expression)
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(browser.evaluate(expression)).isEqualTo(expected));
    }

    private int type(String... arguments) {
        return new CellaCommand(new TypedCommand(home).terminal()).run(arguments);
    }
}
