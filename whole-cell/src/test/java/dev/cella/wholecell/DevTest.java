package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code cella dev}: a whole cell in one process, stopped, killed and restarted on the same data. */
@Timeout(600)
class DevTest {
    private static final String ADDRESS = "(http://127\\.0\\.0\\.1:\\d+)";

    static final List<String> AS_THE_LAUNCHER = List.of("/bin/sh", "-c", "umask 077; exec \"$@\"", "cella");

    private static final Duration SEVERAL_SERVERS_START_MAX = Duration.ofMinutes(3);

    @TempDir
    Path folder;

    @Test
    void dev_interruptedAndStartedAgain_leavesNoProcessAndShowsTheSameJobs() throws IOException {
        try (CellaProcess first = dev()) {
            OutsideClient client = client(first.awaitLine(ADDRESS));
            client.post("/v1/jobs", Jobs.batch("done", 1, "/bin/sh", "-c", "[ \"$(umask)\" = 0022 ]"));
            client.awaitJob("done", "FINISHED");
            long pid = startLongTask(client);

            assertThat(first.terminate()).isIn(0, 130, 143);

            assertThat(isRunning(pid)).isFalse();
            assertThat(filesThatOthersRead()).isEmpty();
        }
        try (CellaProcess second = dev()) {
            OutsideClient client = client(second.awaitLine(ADDRESS));
            client.awaitJob("done", "FINISHED");
            client.awaitJob("long", "RUNNING");
            assertThat(second.terminate()).isIn(0, 130, 143);
        }
    }

    @Test
    void dev_killed_guardStopsItsTasks_andTheNextStartRunsThemAgain() throws IOException {
        long pid;
        try (CellaProcess first = dev()) {
            pid = startLongTask(client(first.awaitLine(ADDRESS)));
            first.kill();
        }
        await().atMost(CellaProcess.PATIENCE).until(() -> !isRunning(pid));
        try (CellaProcess second = dev()) {
            OutsideClient client = client(second.awaitLine(ADDRESS));
            client.awaitAnswer(
                    "/v1/tasks/long/main/0",
                    task -> task.path("attempt").asInt() == 2
                            && task.path("state").asText().equals("RUNNING"));
            second.terminate();
        }
    }

    @Test
    void dev_ofThreeReplicas_runsAJob_andItsServersEndWithIt() throws IOException {
        List<ProcessHandle> processes;
        try (CellaProcess dev = dev("--replicas", "3")) {
            OutsideClient client = client(dev.awaitLine(ADDRESS, SEVERAL_SERVERS_START_MAX));
            assertThat(client.get("/v1/cell").path("replicas")).hasSize(3);
            client.post("/v1/jobs", Jobs.batch("done", 1, "/bin/true"));
            client.awaitJob("done", "FINISHED");
            processes = dev.descendants();
            assertThat(processes).as("its servers, at least").hasSizeGreaterThanOrEqualTo(3);
            dev.terminate();
            assertThat(filesThatOthersRead()).isEmpty();
        }
        processes.forEach(process -> await().atMost(CellaProcess.PATIENCE).until(() -> !process.isAlive()));
    }

    private long startLongTask(OutsideClient client) throws IOException {
        assertThat(folder.toFile().setWritable(true, false)).isTrue();
        assertThat(folder.toFile().setExecutable(true, false)).isTrue();
        Path pid = folder.resolve("pid");
        String script = "echo $$ > %s; exec sleep 600".formatted(pid);
        client.post("/v1/jobs", Jobs.batch("long", 1, "/bin/sh", "-c", script));
        client.awaitTask("long/main/0", "RUNNING");
        await().atMost(CellaProcess.PATIENCE).until(() -> Files.exists(pid) && Files.size(pid) > 1);
        return Long.parseLong(Files.readString(pid).strip());
    }

    /** A client that may read the user's file; all others are refused. */
    private OutsideClient client(String address) {
        assertThat(new OutsideClient(address).tryToSend("GET", "/v1/cell", ""))
                .hasValueSatisfying(refused -> assertThat(refused.statusCode()).isEqualTo(401));
        try {
            return new OutsideClient(
                    address, Files.readString(folder.resolve("data/token")).strip());
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    private CellaProcess dev(String... more) {
        String data = folder.resolve("data").toString();
        List<String> arguments = new ArrayList<>(List.of("dev", "--data", data, "--port", "0"));
        arguments.addAll(List.of(more));
        return CellaProcess.start(
                AS_THE_LAUNCHER,
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString()),
                arguments.toArray(String[]::new));
    }

    /** Checks the files in the data directory. Tasks' files are elsewhere, because tasks run as another user. */
    private List<Path> filesThatOthersRead() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
            return files.filter(DevTest::canBeReadByOthers).toList();
        }
    }

    private static boolean canBeReadByOthers(Path file) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            return permissions.contains(PosixFilePermission.GROUP_READ)
                    || permissions.contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
}
