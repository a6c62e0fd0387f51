package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page about metrics is generated from the metrics: {@code -Dcella.golden.write=true} writes it again. */
class MetricsPageTest {
    private static final Path PAGE = Path.of("../docs/metrics.md");
    private static final Path MONITORING = Path.of("../distribution/deploy/monitoring");
    private static final Path OPERATING = Path.of("../docs/operating.md");
    private static final Pattern SELECTED = Pattern.compile("(cella_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=~?\\\\?\"([^\"\\\\]*)");
    private static final Pattern ALERT = Pattern.compile("alert: (\\w+)");

    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void page_saysWhatTheServerShows() throws IOException {
        aSchedulerAtWork();
        String page = page(CELL.get("/metrics").body());
        if (Boolean.getBoolean("cella.golden.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page);
    }

    private static void aSchedulerAtWork() {
        long session = CELL.put("/v1/schedulers/measured/sessions/a", "{\"type\": \"batch\"}")
                .json()
                .get("session")
                .asLong();
        CELL.putMachine("m-measured", 500, 8192);
        CELL.post(
                "/v1/jobs",
                RunningCell.job("measured", 2).replace("\"type\"", "\"scheduler\": \"measured\", \"type\""));
        CELL.post("/v1/transactions", """
                {"id": "measured-1", "scheduler": "measured", "session": %d,
                 "claims": [{"task": "measured/main/0", "machine": "m-measured"}]}""".formatted(session));
        CELL.post("/v1/schedulers/measured/sessions/a:report", """
                {"session": %d, "viewVersion": 1, "queueLength": 3, "elapsed": "10s", "busy": "4s", "wasted": "500ms",
                 "plansFailed": 2}""".formatted(session));
    }

    @Test
    void scheduler_isMeasuredByWhatTheCellCountedAndWhatItSays() {
        aSchedulerAtWork();
        String shown = CELL.get("/metrics").body();
        assertThat(shown)
                .contains(
                        "cella_scheduler_transactions_total{result=\"successful\",scheduler=\"measured\"} 1.0",
                        "cella_scheduler_transactions_total{result=\"conflicted\",scheduler=\"measured\"} 0.0",
                        "cella_scheduler_claims_total{result=\"accepted\",scheduler=\"measured\"} 1.0",
                        "cella_scheduler_instances{scheduler=\"measured\"} 1.0",
                        "cella_scheduler_paused{scheduler=\"measured\"} 0.0",
                        "cella_scheduler_busy_fraction{scheduler=\"measured\"} 0.4",
                        "cella_scheduler_wasted_busy_fraction{scheduler=\"measured\"} 0.05",
                        "cella_scheduler_queue_length{scheduler=\"measured\"} 3.0",
                        "cella_scheduler_plans_failed{scheduler=\"measured\"} 2.0");
        CELL.post("/v1/schedulers/measured:pause", "{}");
        assertThat(CELL.get("/metrics").body()).contains("cella_scheduler_paused{scheduler=\"measured\"} 1.0");
        CELL.post("/v1/schedulers/measured:resume", "{}");
    }

    /** The alert of a scheduler that is gone needs the value 0: a series that is not there fires nothing. */
    @Test
    void schedulerThatIsGone_isShownWhileAJobNeedsIt() {
        String line = "cella_scheduler_instances{scheduler=\"gone\"} 0.0";
        assertThat(CELL.get("/metrics").body()).doesNotContain(line);
        CELL.post("/v1/jobs", RunningCell.job("of-gone", 1).replace("\"type\"", "\"scheduler\": \"gone\", \"type\""));
        assertThat(CELL.get("/metrics").body()).contains(line);
        CELL.delete("/v1/jobs/of-gone");
        assertThat(CELL.get("/metrics").body()).doesNotContain(line);
    }

    @Test
    void boardAndAlerts_selectWhatTheServerShows() throws IOException {
        aSchedulerAtWork();
        List<String> shown = CELL.get("/metrics").body().lines().toList();
        List<String> missing = new ArrayList<>();
        for (String file : List.of("alerts.yaml", "grafana.json")) {
            Matcher selected = SELECTED.matcher(Files.readString(MONITORING.resolve(file)));
            while (selected.find()) {
                for (List<String> wanted : wanted(selected)) {
                    if (shown.stream().noneMatch(line -> wanted.stream().allMatch(line::contains))) {
                        missing.add(file + ": " + wanted);
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    /** For each series that one selector may mean: what its line contains. */
    private static List<List<String>> wanted(MatchResult selected) {
        List<List<String>> wanted = new ArrayList<>();
        Matcher label = LABEL.matcher(selected.group(2) == null ? "" : selected.group(2));
        while (label.find()) {
            for (String value : label.group(2).split("\\|", -1)) {
                wanted.add(List.of(selected.group(1) + "{", label.group(1) + "=\"" + value + "\""));
            }
        }
        return wanted.isEmpty() ? List.of(List.of(selected.group(1))) : wanted;
    }

    @Test
    void everyAlert_hasALineInTheRunbook() throws IOException {
        String runbook = Files.readString(OPERATING);
        Matcher alert = ALERT.matcher(Files.readString(MONITORING.resolve("alerts.yaml")));
        int alerts = 0;
        while (alert.find()) {
            assertThat(runbook).contains("| `" + alert.group(1) + "` |");
            alerts++;
        }
        assertThat(alerts).isGreaterThan(5);
    }

    @Test
    void head_isAnsweredAsGetWithoutItsBody() {
        RunningCell.Reply head = CELL.head("/metrics");
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("content-type")).startsWith("text/plain");
        assertThat(head.body()).isEmpty();
    }

    private static String page(String shown) {
        StringBuilder page = new StringBuilder("""
            # Metrics

            What a server shows at `/metrics`, for Prometheus. A name that ends in `_total` only grows, from 0 at the start of the
            process; divide the growth of one by the growth of another. This page is written from the server itself, and a test holds it.

            | metric | kind | meaning |
            |---|---|---|
            """);
        for (Metric metric : Metric.values()) {
            String name = metric.id().replace('.', '_');
            boolean counts = shown.contains("# TYPE " + name + "_total counter");
            assertThat(counts || shown.contains("# TYPE " + name + " gauge"))
                    .as("%s is shown", name)
                    .isTrue();
            page.append("| `%s` | %s | %s |%n"
                    .formatted(name + (counts ? "_total" : ""), counts ? "counter" : "gauge", metric.sentence())
                    .replace(System.lineSeparator(), "\n"));
        }
        return page.toString();
    }
}
