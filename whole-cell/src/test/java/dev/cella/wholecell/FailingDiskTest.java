package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cella.chaos.processes.FaultLibrary;
import dev.cella.chaos.processes.FaultSwitches;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose disk refuses to sync or to write, or is read-only from the start. */
@Timeout(600)
class FailingDiskTest {
    private static final String ADDRESS = "(http://127\\.0\\.0\\.1:\\d+)";

    @TempDir
    Path folder;

    private final List<String> acknowledged = new ArrayList<>();

    @Test
    void syncsFail_thenDiskIsReadOnly_serverLeavesEachTime_andHasAllThatWasAcknowledged() {
        assumeTrue(FaultLibrary.whyNot().isEmpty(), "skipped: this machine has no C compiler");
        FaultSwitches switches = FaultSwitches.create(folder.resolve("switches"));
        Path data = folder.resolve("data");
        Map<String, String> environment = FaultLibrary.compile(folder).environment(switches, data);

        runUntilItLeaves(environment, data, switches, switches::failSyncs);
        runUntilItLeaves(environment, data, switches, switches::makeReadOnly);

        try (CellaProcess again = start(environment, data)) {
            hasAllThatWasAcknowledged(new OutsideClient(again.awaitLine(ADDRESS)));
        }
    }

    /** Acknowledges a job before the fault, and none afterwards. */
    private void runUntilItLeaves(
            Map<String, String> environment, Path data, FaultSwitches switches, Runnable breakDisk) {
        try (CellaProcess server = start(environment, data)) {
            OutsideClient client = new OutsideClient(server.awaitLine(ADDRESS));
            hasAllThatWasAcknowledged(client);
            String before = "job-" + acknowledged.size();
            client.post("/v1/jobs", job(before));
            acknowledged.add(before);

            breakDisk.run();
            assertThat(client.tryToSend("POST", "/v1/jobs", job("lost"))
                            .map(HttpResponse::statusCode)
                            .orElse(503))
                    .isGreaterThanOrEqualTo(500);

            assertThat(server.awaitExit()).as(server::output).isEqualTo(1);
            assertThat(server.output()).containsPattern("error: (the log|cannot write)");
            assertThat(switches.diskHits()).isPositive();
        }
        switches.healDisk();
    }

    private void hasAllThatWasAcknowledged(OutsideClient client) {
        acknowledged.forEach(job -> client.get("/v1/jobs/" + job));
    }

    private static String job(String name) {
        return Jobs.batch(name, 1, "true").replace("\"batch\"", "\"batch\", \"scheduler\": \"nobody\"");
    }

    private CellaProcess start(Map<String, String> environment, Path data) {
        return start(List.of(), environment, data);
    }

    private CellaProcess start(List<String> launcher, Map<String, String> environment, Path data) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("XDG_DATA_HOME", folder.resolve("home").toString());
        return CellaProcess.start(launcher, all, "server", "--data", data.toString(), "--port", "0");
    }

    @Test
    void diskIsReadOnlyAtTheStart_serverIsRefused() {
        Path disk = folder.resolve("disk");
        try (SmallDisk mounted = SmallDisk.mount(disk)) {
            mounted.makeReadOnly();
            try (CellaProcess server = start(mounted.enter(), Map.of(), disk.resolve("data"))) {
                assertThat(server.awaitExit()).isEqualTo(1);
                assertThat(server.output())
                        .contains("error: cannot write to the data directory")
                        .contains("Read-only file system")
                        .contains("hint:  make it writable");
            }
        }
    }
}
