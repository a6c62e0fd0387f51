package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cell of three replicas that is told to stop logs no stack trace: nothing has failed. */
@Timeout(600)
class CleanStopTest {
    @TempDir
    Path folder;

    @Test
    void threeServers_stoppedOneAfterAnotherUnderLoad() {
        try (ReplicatedCell cell = ReplicatedCell.start(folder);
                ClaimLoad load = new ClaimLoad(cell)) {
            load.start();
            load.awaitMore(20);
            String leader = cell.awaitLeader();
            assertNoTrace(leader, cell.terminate(leader));
            load.awaitMore(20);
            load.stop();
            for (String name : cell.running()) {
                assertNoTrace(name, cell.terminate(name));
            }
        }
    }

    @Test
    void devCellOfThree_stoppedWithItsTasks() throws IOException {
        Path data = folder.resolve("data");
        Map<String, String> environment =
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString());
        try (CellaProcess dev =
                CellaProcess.start(environment, "dev", "--replicas", "3", "--data", data.toString(), "--port", "0")) {
            dev.awaitLine("^next:");
            String token = Files.readString(data.resolve("token")).strip();
            OutsideClient client = new OutsideClient(dev.awaitLine("(http://127\\.0\\.0\\.1:\\d+)"), token);
            client.post("/v1/jobs", Jobs.service("steady", 2, "sleep", "600"));
            client.awaitAnswer(
                    "/v1/jobs/steady", job -> job.at("/tasks/running").asInt() == 2);
            dev.terminate();
            assertNoTrace("its output", dev.output());
        }
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> logs = files.filter(file -> file.getFileName().toString().endsWith(".log"))
                    .filter(Files::isRegularFile)
                    .toList();
            assertThat(logs).hasSizeGreaterThanOrEqualTo(3);
            for (Path log : logs) {
                assertNoTrace(log.toString(), Files.readString(log));
            }
        }
    }

    private static void assertNoTrace(String where, String text) {
        assertThat(text.lines()).as(where).noneMatch(line -> line.matches("\\s+at [\\w.$/@]+\\(.*\\).*"));
    }
}
