package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page about metrics is written from the metrics: {@code -Dcella.golden.write=true} writes it anew. */
class MetricsPageTest {
    private static final Path PAGE = Path.of("../docs/metrics.md");

    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void page_saysWhatTheServerShows() throws IOException {
        assertThat(CELL.get("/v1/cell").status()).isEqualTo(200);
        String page = page(CELL.get("/metrics").body());
        if (Boolean.getBoolean("cella.golden.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page);
    }

    private static String page(String shown) {
        StringBuilder page = new StringBuilder("""
            # Metrics

            What a server shows at `/metrics`, for Prometheus. A name that ends in `_total` only grows, from 0 at the start of the
            process; divide the growth of one by the growth of another. This page is written from the server itself, and a test holds it.

            | metric | kind | what it says |
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
