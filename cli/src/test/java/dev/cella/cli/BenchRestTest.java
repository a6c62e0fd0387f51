package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.bench.cell.RestBench;
import dev.cella.bench.cell.Servers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that the measurement finds all servers; a test cannot judge what they use. */
class BenchRestTest {
    @Test
    void eachServer_isMeasured_theLeaderFirst() throws Exception {
        Servers servers = new Servers("dev.cella.cli.Main", 3, "netty", "1500ms", CommandClasses.flags());

        RestBench.Report report = RestBench.run(servers, 5, Duration.ZERO, Duration.ofMillis(200), said -> {});

        assertThat(report.resting()).extracting(RestBench.Resting::leads).containsExactly(true, false, false);
        assertThat(report.resting()).allSatisfy(server -> {
            assertThat(server.percent()).isNotNegative();
            assertThat(server.mib()).isPositive();
        });
    }
}
