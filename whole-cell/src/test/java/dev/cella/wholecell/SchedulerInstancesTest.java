package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several instances of one scheduler, each a separate process. */
@Timeout(240)
class SchedulerInstancesTest {
    /** Enough jobs that each of two instances certainly gets some, and the one that is left takes some over. */
    private static final int JOBS = 30;

    /** Enough to see that somebody places. */
    private static final int FEW_JOBS = 5;

    @TempDir
    private static Path folder;

    private static CellaProcess store;
    private static CellaProcess agent;
    private static String address;
    private static OutsideClient client;

    @BeforeAll
    static void startCell() {
        store = start("server", "--data", folder.resolve("store").toString(), "--port", "0");
        address = store.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
        agent = start(
                "agent",
                "--address",
                address,
                "--name",
                "m-001",
                "--data",
                folder.resolve("agent").toString());
        client = new OutsideClient(address);
    }

    @AfterAll
    static void stopCell() {
        agent.terminate();
        store.close();
    }

    private static CellaProcess start(String... arguments) {
        return CellaProcess.start(Map.of("XDG_DATA_HOME", folder.resolve("home").toString()), arguments);
    }

    private static CellaProcess instance(String name) {
        return start("scheduler", "--address", address, "--type", "batch", "--instance", name, "--lease", "5s");
    }

    @Test
    void instancesShareTheJobs_andTheOtherTakesOverFromOneThatIsKilled() {
        try (CellaProcess a = instance("a");
                CellaProcess b = instance("b")) {
            awaitInstances("a", "b");
            submitAndAwait("before", JOBS);
            JsonNode both =
                    client.awaitAnswer("/v1/schedulers", list -> accepted(list, "a") + accepted(list, "b") == JOBS);
            assertThat(accepted(both, "a")).as(both::toString).isPositive();
            assertThat(accepted(both, "b")).as(both::toString).isPositive();

            b.kill();
            submitAndAwait("after", JOBS);

            awaitInstances("a");
            assertThat(a.isAlive()).isTrue();
        }
    }

    @Test
    void olderOfTheSameInstance_saysThatItIsReplaced_andLeavesWithOne() {
        try (CellaProcess older = instance("same")) {
            awaitInstances("same");
            try (CellaProcess younger = instance("same")) {
                assertThat(older.awaitExit()).as(older::output).isEqualTo(1);
                assertThat(older.output()).contains("another one of that name has taken over");
                submitAndAwait("then", FEW_JOBS);
                assertThat(younger.isAlive()).isTrue();
            }
        }
    }

    private static void awaitInstances(String... names) {
        client.awaitAnswer(
                "/v1/schedulers",
                list -> list.path("schedulers").size() == names.length
                        && instances(list).equals(Set.of(names))
                        && saysSomething(list));
    }

    private static Set<String> instances(JsonNode list) {
        return Set.copyOf(list.path("schedulers").findValuesAsText("instance"));
    }

    private static boolean saysSomething(JsonNode list) {
        for (JsonNode each : list.path("schedulers")) {
            if (!each.has("busyFraction")) {
                return false;
            }
        }
        return true;
    }

    private static long accepted(JsonNode list, String instance) {
        for (JsonNode each : list.path("schedulers")) {
            if (each.path("instance").asText().equals(instance)) {
                return each.at("/claims/accepted").asLong();
            }
        }
        return 0;
    }

    private static void submitAndAwait(String name, int jobs) {
        for (int job = 0; job < jobs; job++) {
            client.post("/v1/jobs", Jobs.batch(name + "-" + job, 1, "/bin/true"));
        }
        for (int job = 0; job < jobs; job++) {
            client.awaitJob(name + "-" + job, "FINISHED");
        }
    }
}
