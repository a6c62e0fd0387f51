package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code cella dev}: a whole cell in one process, stopped, killed and restarted on the same data. {@link DevStartsTest} has
 * three replicas.
 */
@Timeout(600)
class DevTest {
    private static final String ADDRESS = "(http://127\\.0\\.0\\.1:\\d+)";

    static final List<String> AS_THE_LAUNCHER = List.of("/bin/sh", "-c", "umask 077; exec \"$@\"", "cella");

    @TempDir
    Path folder;

    @Test
    void dev_stoppedAndStartedAgain_leavesNoProcessAndShowsTheSameJobs_andItsGuardStopsItsTasksWhenItIsKilled()
            throws IOException {
        long pid;
        try (CellaProcess first = dev()) {
            OutsideClient client = client(first.awaitLine(ADDRESS), data());
            client.post("/v1/jobs", Jobs.batch("done", 1, "/bin/sh", "-c", "[ \"$(umask)\" = 0022 ]"));
            client.awaitJob("done", "FINISHED");
            submitLongTask(client);
            pid = pidOf(client, 1);

            assertThat(first.terminate()).isIn(0, 130, 143);

            assertThat(isRunning(pid)).isFalse();
            assertThat(filesThatOthersRead(data())).isEmpty();
        }
        try (CellaProcess second = dev()) {
            OutsideClient client = client(second.awaitLine(ADDRESS), data());
            client.awaitJob("done", "FINISHED");
            pid = pidOf(client, 2);

            second.kill();
        }
        long guarded = pid;
        await().atMost(CellaProcess.PATIENCE).until(() -> !isRunning(guarded));
        try (CellaProcess third = dev()) {
            OutsideClient client = client(third.awaitLine(ADDRESS), data());
            assertThat(isRunning(pidOf(client, 3))).isTrue();
            assertThat(third.terminate()).isIn(0, 130, 143);
        }
    }

    private void submitLongTask(OutsideClient client) {
        assertThat(folder.toFile().setWritable(true, false)).isTrue();
        assertThat(folder.toFile().setExecutable(true, false)).isTrue();
        String script = "echo $$ > %s-$CELLA_ATTEMPT; exec sleep 600".formatted(folder.resolve("pid"));
        client.post("/v1/jobs", Jobs.batch("long", 1, "/bin/sh", "-c", script));
    }

    /** The process of that attempt of the long task, once it runs. */
    private long pidOf(OutsideClient client, int attempt) throws IOException {
        client.awaitAnswer(
                "/v1/tasks/long/main/0",
                task -> task.path("attempt").asInt() == attempt
                        && task.path("state").asText().equals("RUNNING"));
        Path pid = folder.resolve("pid-" + attempt);
        await().atMost(CellaProcess.PATIENCE).until(() -> Files.exists(pid) && Files.size(pid) > 1);
        return Long.parseLong(Files.readString(pid).strip());
    }

    /** A client that may read the user's file; all others are refused. */
    static OutsideClient client(String address, Path data) {
        assertThat(new OutsideClient(address).tryToSend("GET", "/v1/cell", ""))
                .hasValueSatisfying(refused -> assertThat(refused.statusCode()).isEqualTo(401));
        try {
            return new OutsideClient(
                    address, Files.readString(data.resolve("token")).strip());
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    private Path data() {
        return folder.resolve("data");
    }

    private CellaProcess dev() {
        return CellaProcess.start(
                AS_THE_LAUNCHER,
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString()),
                "dev",
                "--data",
                data().toString(),
                "--port",
                "0");
    }

    /** Checks the files in the data directory. Tasks' files are elsewhere, because tasks run as another user. */
    static List<Path> filesThatOthersRead(Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
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
