package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Megha over two closed cells as separate processes, each of which is killed as by {@code kill -9} while a job runs: a global
 * master, the agent that offers the other cell, the agent of that cell's machine, that cell, and the home. No task runs twice,
 * and nothing is lost.
 */
@Timeout(600)
class KilledFederationTest {
    private static final int TASKS = 4;

    @TempDir
    Path folder;

    private final List<CellaProcess> processes = new ArrayList<>();
    private CellaProcess homeStore;
    private CellaProcess memberStore;
    private CellaProcess memberNode;
    private CellaProcess offering;
    private String homeAddress;
    private String memberAddress;
    private OutsideClient home;

    @BeforeEach
    void startCells() {
        KilledPartsTest.makeWritable(folder);
        homeStore = store("home", "0");
        memberStore = store("member", "0");
        homeAddress = homeStore.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
        memberAddress = memberStore.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
        home = new OutsideClient(homeAddress, read("home/token").get(0));
        makeTokens();
        memberNode = node("m-member", memberAddress, "member");
        node("m-home", homeAddress, "home");
        offering = offering();
    }

    /** Each part has a token of each cell that it works on, which allows no more than it needs there. */
    private void makeTokens() {
        OutsideClient member =
                new OutsideClient(memberAddress, read("member/token").get(0));
        writeToken(member, "submit", "submit");
        writeToken(member, "megha-member", "schedule:megha");
        writeToken(home, "north", "machine:north");
        writeToken(home, "megha-home", "schedule:megha");
    }

    private void writeToken(OutsideClient cell, String name, String scope) {
        String asked = "{\"name\": \"" + name + "\", \"scopes\": [\"" + scope + "\"]}";
        String secret = cell.post("/v1/tokens", asked).path("secret").asText();
        try {
            Files.writeString(folder.resolve(name + ".token"), secret);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String token(String file) {
        return "@" + folder.resolve(file);
    }

    @AfterEach
    void stopCells() {
        for (int last = processes.size() - 1; last >= 0; last--) {
            processes.get(last).terminateOrKill();
        }
    }

    private CellaProcess start(String... arguments) {
        CellaProcess started =
                CellaProcess.start(Map.of("XDG_DATA_HOME", folder.resolve("own").toString()), arguments);
        processes.add(started);
        return started;
    }

    private CellaProcess store(String name, String port) {
        return start("server", "--data", folder.resolve(name).toString(), "--port", port, "--closed");
    }

    /** With a lease that is longer than its cell is away. */
    private CellaProcess node(String name, String address, String cell) {
        String data = folder.resolve(name).toString();
        return start(
                "agent",
                "--address",
                address,
                "--token",
                token(cell + "/token"),
                "--name",
                name,
                "--data",
                data,
                "--lease",
                "1m");
    }

    /** With a lease that is longer than its home is away. */
    private CellaProcess offering() {
        String data = folder.resolve("offering").toString();
        return start(
                "agent",
                "--address",
                homeAddress,
                "--token",
                token("north.token"),
                "--cell",
                memberAddress,
                "--cell-token",
                token("submit.token"),
                "--name",
                "north",
                "--data",
                data,
                "--lease",
                "15s");
    }

    private CellaProcess globalMaster(String instance) {
        return start(
                "scheduler",
                "--type",
                "megha",
                "--address",
                homeAddress,
                "--token",
                token("megha-home.token"),
                "--cell",
                memberAddress,
                "--cell-token",
                memberAddress + "=" + token("megha-member.token"),
                "--instance",
                instance,
                "--lease",
                "2s");
    }

    private static String port(String address) {
        return address.substring(address.lastIndexOf(':') + 1);
    }

    @Test
    void eachPartIsKilledInTheMiddleOfAJob_everyTaskEndsOnce() {
        awaitBothCells();
        CellaProcess one = globalMaster("one");
        submit("work", script());
        awaitRunning();
        assertThat(onNorth()).isNotEmpty();

        one.kill();
        globalMaster("two");
        submit("after", "true");
        home.awaitJob("after", "FINISHED");

        offering.kill();
        offering = offering();
        memberNode.kill();
        memberNode = node("m-member", memberAddress, "member");
        homeStore.kill();
        homeStore = store("home", port(homeAddress));
        submit("adopted", "true");
        home.awaitJob("adopted", "FINISHED");
        assertThat(starts()).as(this::told).hasSize(TASKS);

        List<Integer> moved = onNorth();
        memberStore.kill();
        home.awaitAnswer("/v1/tasks?job=work", tasks -> {
            List<JsonNode> rows = rows(tasks.path("tasks"));
            return moved.stream()
                    .allMatch(index -> rows.get(index).path("machine").asText().equals("m-home")
                            && rows.get(index).path("state").asText().equals("RUNNING"));
        });
        memberStore = store("member", port(memberAddress));
        await().atMost(CellaProcess.PATIENCE).until(() -> running() == TASKS);
        awaitBothCells();

        openGate();
        home.awaitJob("work", "FINISHED");
        assertThat(read("ends")).as(this::told).containsExactlyInAnyOrder("0", "1", "2", "3");
        assertThat(starts()).hasSize(TASKS + moved.size());
    }

    private void submit(String name, String script) {
        home.post(
                "/v1/jobs",
                Jobs.batch(name, TASKS, "/bin/sh", "-c", script).replaceFirst("\\{", "{\"scheduler\": \"megha\", "));
    }

    /** A task notes its index and its process, and notes its end when the gate is open. */
    private String script() {
        return "echo ${index} $$ >> %1$s/starts; while [ ! -e %1$s/gate ]; do sleep 0.05; done; echo ${index} >> %1$s/ends"
                .formatted(folder);
    }

    private void awaitRunning() {
        home.awaitAnswer(
                "/v1/jobs/work", job -> job.path("tasks").path("running").asInt() == TASKS);
    }

    /** The machine of the home, and the other cell, which is one. */
    private void awaitBothCells() {
        home.awaitAnswer(
                "/v1/machines",
                list -> rows(list.path("machines")).stream()
                                .filter(row -> row.path("status").asText().equals("READY"))
                                .count()
                        == 2);
    }

    private static List<JsonNode> rows(JsonNode list) {
        List<JsonNode> rows = new ArrayList<>();
        list.forEach(rows::add);
        return rows;
    }

    /** The indexes of the tasks that run in the other cell. */
    private List<Integer> onNorth() {
        List<JsonNode> tasks = rows(home.get("/v1/tasks?job=work").path("tasks"));
        return IntStream.range(0, TASKS)
                .filter(index -> tasks.get(index).path("machine").asText().equals("north"))
                .boxed()
                .toList();
    }

    /** How many of the processes that ever started are alive. */
    private long running() {
        return starts().stream()
                .map(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                .filter(pid -> ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false))
                .count();
    }

    private List<String> starts() {
        return read("starts");
    }

    private List<String> read(String file) {
        try {
            return Files.readAllLines(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void openGate() {
        try {
            Files.createFile(folder.resolve("gate"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The output of every part, for a failed test. */
    private String told() {
        StringBuilder told = new StringBuilder();
        processes.forEach(each -> told.append(each.output()).append('\n'));
        return told.toString();
    }
}
