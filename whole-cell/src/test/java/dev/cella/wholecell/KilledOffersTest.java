package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An allocator and its frameworks as separate processes, which are killed as by {@code kill -9}: a plug-in that plans on its
 * offers, and one that is only a session over HTTP.
 */
@Timeout(240)
class KilledOffersTest {
    private static final String OFFERS_OF_HOLDER = "/v1/offers?scheduler=holder";

    @TempDir
    Path folder;

    private final List<CellaProcess> processes = new ArrayList<>();
    private String address;
    private OutsideClient client;

    @BeforeEach
    void startCell() {
        CellaProcess store = start("server", "--data", folder.resolve("store").toString(), "--port", "0");
        address = store.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
        client = new OutsideClient(address);
        String data = folder.resolve("agent").toString();
        start("agent", "--address", address, "--name", "m-001", "--data", data);
    }

    @AfterEach
    void stopCell() {
        for (int last = processes.size() - 1; last >= 0; last--) {
            processes.get(last).terminateOrKill();
        }
    }

    private CellaProcess start(String... arguments) {
        CellaProcess started = CellaProcess.start(
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString()), arguments);
        processes.add(started);
        return started;
    }

    private CellaProcess allocator(String instance) {
        return start(
                "scheduler",
                "--address",
                address,
                "--type",
                "offers",
                "--instance",
                instance,
                "--lease",
                "2s",
                "--option",
                "timeoutSeconds=2");
    }

    private CellaProcess plugin(Path jar, String instance) {
        return start(
                "scheduler",
                "--address",
                address,
                "--plugin",
                jar.toString(),
                "--type",
                ExamplePlugin.TYPE,
                "--option",
                "spareCpuMilli=0",
                "--instance",
                instance,
                "--offers",
                "--lease",
                "2s");
    }

    @Test
    void allocatorAndFrameworkAreKilled_offersEnd_tasksLive_andOthersTakeOver() throws Exception {
        Path jar = ExamplePlugin.jar(folder);
        CellaProcess first = allocator("one");
        CellaProcess framework = plugin(jar, "a");
        submit("stays", "/bin/sleep", "600");
        client.awaitTask("stays/main/0", "RUNNING");

        framework.kill();
        client.put("/v1/schedulers/holder/sessions/one", "{\"offers\": true, \"lease\": \"1h\"}");
        client.awaitAnswer(OFFERS_OF_HOLDER, answer -> answer.path("offers").size() == 1);
        first.kill();
        client.awaitAnswer(OFFERS_OF_HOLDER, answer -> answer.path("offers").isEmpty());
        assertThat(freeCpuMilli()).isEqualTo(capacityCpuMilli() - 1);

        allocator("two");
        client.awaitAnswer(OFFERS_OF_HOLDER, answer -> answer.path("offers").size() == 1);
        client.post("/v1/schedulers/holder:suppress", "");
        plugin(jar, "b");
        submit("after", "/bin/true");
        client.awaitJob("after", "FINISHED");
        assertThat(client.get("/v1/tasks/stays/main/0").path("state").asText()).isEqualTo("RUNNING");
        client.awaitAnswer(OFFERS_OF_HOLDER, answer -> answer.path("offers").isEmpty());
        client.awaitAnswer(
                "/v1/machines/m-001", machine -> cpuMilli(machine, "free") == cpuMilli(machine, "capacity") - 1);
    }

    private void submit(String name, String... command) {
        String job = """
                {"name": "%s", "type": "batch", "scheduler": "%s", "groups": [{"resources":
                 {"cpuMilli": 1, "memoryMib": 1}, "run": {"command": ["%s"]}}]}
                """;
        client.post("/v1/jobs", job.formatted(name, ExamplePlugin.TYPE, String.join("\", \"", command)));
    }

    private long freeCpuMilli() {
        return cpuMilli(client.get("/v1/machines/m-001"), "free");
    }

    private long capacityCpuMilli() {
        return cpuMilli(client.get("/v1/machines/m-001"), "capacity");
    }

    private static long cpuMilli(JsonNode machine, String amounts) {
        return machine.path(amounts).path("cpuMilli").asLong();
    }
}
