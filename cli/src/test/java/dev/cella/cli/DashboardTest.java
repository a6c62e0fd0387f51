package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cella.cli.terminal.TypedCommand;
import java.nio.file.Path;
import java.time.Duration;
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
            assertThat(type("job", "run", HELLO)).isZero();
            awaitText(browser, jobRow("hello"), "FINISHED");
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
