package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code cella dev --replicas 3}, started again and again on the same port and data. Every third start comes right after a
 * Ctrl-C of the former dev, which is still stopping then. {@code -Dcella.devStarts=30} is the long form.
 */
@Timeout(3_600)
class DevStartsTest {
    private static final int STARTS = Integer.getInteger("cella.devStarts", 2);
    private static final int EACH_AFTER_INTERRUPT = STARTS <= 2 ? 1 : 3;
    private static final int TASKS = 2;

    @TempDir
    Path folder;

    private final List<CellaProcess> devs = new ArrayList<>();
    private final List<ProcessHandle> children = new ArrayList<>();

    @Test
    void dev_ofThreeReplicas_isReadyAtEveryStart_keepsItsJobs_itsServersEndWithIt_andNoneLogsAStackTrace()
            throws IOException {
        try {
            CellaProcess dev = start("0");
            String address = dev.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
            String port = address.substring(address.lastIndexOf(':') + 1);
            OutsideClient client = DevTest.client(address, data());
            assertThat(client.get("/v1/cell").path("replicas")).hasSize(3);
            client.post("/v1/jobs", Jobs.batch("done", 1, "/bin/true"));
            client.post("/v1/jobs", Jobs.service("steady", TASKS, "sleep", "600"));
            awaitBothJobs(client);
            for (int start = 1; start < STARTS; start++) {
                dev.interrupt();
                if ((start - 1) % EACH_AFTER_INTERRUPT != 0) {
                    dev.awaitExit();
                }
                dev = start(port);
            }
            awaitBothJobs(client);
            dev.terminate();
            devs.forEach(CellaProcess::awaitExit);
        } finally {
            devs.forEach(CellaProcess::close);
        }
        children.forEach(child -> await().atMost(CellaProcess.PATIENCE).until(() -> !child.isAlive()));
        assertThat(DevTest.filesThatOthersRead(data())).isEmpty();
        assertNoTraces();
    }

    private CellaProcess start(String port) {
        CellaProcess dev = CellaProcess.start(
                DevTest.AS_THE_LAUNCHER,
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString()),
                "dev",
                "--data",
                data().toString(),
                "--port",
                port,
                "--replicas",
                "3",
                "--machines",
                "20");
        devs.add(dev);
        dev.awaitLine("^next:");
        List<ProcessHandle> its = dev.descendants();
        assertThat(its).as("its servers, at least").hasSizeGreaterThanOrEqualTo(3);
        children.addAll(its);
        return dev;
    }

    private Path data() {
        return folder.resolve("data");
    }

    private static void awaitBothJobs(OutsideClient client) {
        client.awaitJob("done", "FINISHED");
        client.awaitAnswer("/v1/jobs/steady", job -> job.at("/tasks/running").asInt() == TASKS);
    }

    /** Nothing has failed when a cell is told to stop. */
    private void assertNoTraces() throws IOException {
        for (CellaProcess dev : devs) {
            assertThat(CellaProcess.tracesIn(dev.output())).isEmpty();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> logs = files.filter(file -> file.getFileName().toString().endsWith(".log"))
                    .filter(Files::isRegularFile)
                    .toList();
            assertThat(logs).hasSizeGreaterThanOrEqualTo(3);
            for (Path log : logs) {
                assertThat(CellaProcess.tracesIn(Files.readString(log)))
                        .as(log.toString())
                        .isEmpty();
            }
        }
    }
}
