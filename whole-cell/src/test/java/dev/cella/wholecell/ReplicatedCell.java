package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cella.state.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.awaitility.core.ConditionTimeoutException;

/** A cell of three separate replica processes, started from one file as an operator would start them. */
final class ReplicatedCell implements AutoCloseable {
    static final List<String> NAMES = List.of("r1", "r2", "r3");

    /** Three processes start at once, perhaps beside other builds. */
    private static final Duration START_MAX = Duration.ofMinutes(3);

    private static final String READY = "ready\n";

    private final Path folder;
    private final Map<String, String> addresses = new TreeMap<>();
    private final Map<String, OutsideClient> clients = new ConcurrentHashMap<>();
    private final Map<String, CellaProcess> processes = new ConcurrentSkipListMap<>();
    private final List<String> lastWords = new ArrayList<>();

    private ReplicatedCell(Path folder) {
        this.folder = folder;
    }

    /** Starts all three, and waits until each is ready. */
    static ReplicatedCell start(Path folder) {
        ReplicatedCell cell = new ReplicatedCell(folder);
        try {
            cell.writeFile();
            cell.startAll();
            return cell;
        } catch (RuntimeException | Error failure) {
            cell.close();
            throw failure;
        }
    }

    /** With a log that is purged early, and a short election time-out. */
    private void writeFile() {
        StringBuilder file = new StringBuilder("""
                cell: three
                electionTimeout: 700ms
                logSegmentBytes: 8192
                checkpointLogBytes: 16384
                replicas:
                """);
        List<Integer> ports = freePorts(2 * NAMES.size());
        for (int place = 0; place < NAMES.size(); place++) {
            String name = NAMES.get(place);
            addresses.put(name, "http://127.0.0.1:" + ports.get(2 * place));
            file.append("  - {name: %s, log: \"127.0.0.1:%d\", address: \"%s\"}\n"
                    .formatted(name, ports.get(2 * place + 1), addresses.get(name)));
        }
        try {
            Files.writeString(file(), file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Integer> freePorts(int count) {
        try {
            return FreePorts.find(count, new Random());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file() {
        return folder.resolve("server.yaml");
    }

    /** Starts those that do not run, and waits until each is ready. */
    void startAll() {
        NAMES.stream().filter(name -> !processes.containsKey(name)).forEach(this::start);
        NAMES.forEach(this::awaitReady);
    }

    /** Starts or restarts a replica; it may not be ready when this returns. */
    void start(String name) {
        String data = data(name).toString();
        processes.put(
                name,
                CellaProcess.start(
                        Map.of("XDG_DATA_HOME", folder.resolve("home").toString()),
                        "server",
                        "--config",
                        file().toString(),
                        "--replica",
                        name,
                        "--data",
                        data));
    }

    Path data(String name) {
        return folder.resolve(name);
    }

    void awaitReady(String name) {
        try {
            client(name).awaitText("/readyz", READY, START_MAX);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(name + " did not become ready: " + this, e);
        }
    }

    void kill(String name) {
        CellaProcess killed = process(name);
        processes.remove(name);
        killed.kill();
        lastWords.add(name + ", killed:\n" + killed.output());
    }

    /** Asks a replica to stop. Returns its output. */
    String terminate(String name) {
        CellaProcess stopping = process(name);
        processes.remove(name);
        stopping.terminate();
        lastWords.add(name + ", stopped:\n" + stopping.output());
        return stopping.output();
    }

    /** Waits until a replica has left by itself. Returns its output. */
    String awaitExit(String name) {
        CellaProcess leaving = process(name);
        assertThat(leaving.awaitExit()).as(name).isEqualTo(1);
        processes.remove(name);
        return leaving.output();
    }

    CellaProcess process(String name) {
        return Objects.requireNonNull(processes.get(name), name);
    }

    OutsideClient client(String name) {
        return clients.computeIfAbsent(name, replica -> new OutsideClient(address(replica)));
    }

    String address(String name) {
        return Objects.requireNonNull(addresses.get(name), name);
    }

    /** All who run. */
    List<String> running() {
        return List.copyOf(processes.keySet());
    }

    /** The leader on which all running replicas agree. */
    String awaitLeader() {
        String first = running().get(0);
        JsonNode cell = client(first)
                .awaitAnswer(
                        "/v1/cell",
                        answer -> processes.containsKey(answer.path("leader").asText()));
        return cell.path("leader").asText();
    }

    String aFollower() {
        String leader = awaitLeader();
        return running().stream()
                .filter(name -> !name.equals(leader))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Every replica shows the same, at the newest version that any has. Replicas may name different leaders for a moment, so
     * all are asked again until they agree: copies that differ never do.
     */
    void assertAllShowTheSame(String... paths) {
        for (String path : paths) {
            await().atMost(CellaProcess.PATIENCE).untilAsserted(() -> assertAllShowTheSame(path));
        }
    }

    private void assertAllShowTheSame(String path) {
        long version = running().stream().mapToLong(this::version).max().orElseThrow();
        String separator = path.contains("?") ? "&" : "?";
        String fresh = path + separator + "wait=30s&minVersion=" + version;
        JsonNode first = rows(running().get(0), fresh);
        for (String name : running()) {
            assertThat(rows(name, fresh)).as("%s at %s", path, name).isEqualTo(first);
        }
    }

    /** Ignores the token of the next page, which each replica makes itself. */
    private JsonNode rows(String name, String path) {
        ObjectNode answer = (ObjectNode) client(name).get(path);
        answer.remove("nextPageToken");
        return answer;
    }

    private long version(String name) {
        return client(name).get("/v1/cell").path("version").asLong();
    }

    /** The output of every replica, for a failed test. */
    @Override
    public String toString() {
        StringBuilder said = new StringBuilder(String.join("\n", lastWords));
        processes.forEach(
                (name, process) -> said.append('\n').append(name).append(":\n").append(process.output()));
        return said.toString();
    }

    @Override
    public void close() {
        processes.values().forEach(CellaProcess::close);
    }
}
