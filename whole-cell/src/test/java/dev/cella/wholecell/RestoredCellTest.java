package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cell that is founded again from a backup, or from what is left of one replica, while the tasks of the old one run. */
class RestoredCellTest {
    private static final String LONG_LEASE = "60s";

    @TempDir
    private static Path folder;

    private static RealCell cell;
    private static OutsideClient client;

    @BeforeAll
    static void startCell() {
        cell = RealCell.start(folder, LONG_LEASE);
        client = cell.client();
    }

    @AfterAll
    static void stopCell() {
        cell.close();
    }

    @Test
    void tasksOfTheBackupGoOn_andLaterOnesEnd() throws Exception {
        long kept = submit("kept");
        Path backup = folder.resolve("cell.backup");
        cella("cell", "backup", "--address", cell.address(), backup.toString());
        onlyTheNewestBackupsAreKept();
        long later = submit("later");
        cell.killStore();
        Files.move(folder.resolve("store"), folder.resolve("lost"));
        cella(
                "cell",
                "restore",
                backup.toString(),
                "--data",
                folder.resolve("store").toString());

        cell.restartStore();

        awaitRunningAgain("kept");
        await().atMost(CellaProcess.PATIENCE).until(() -> !isRunning(later));
        assertThat(isRunning(kept)).as(cell::toString).isTrue();
        assertThat(starts("kept")).hasSize(1);
        assertThat(client.get("/v1/jobs").path("jobs"))
                .extracting(job -> job.path("name").asText())
                .contains("kept")
                .isSubsetOf("kept", "logged");
    }

    /** A directory stands where the first backup is written, and is gone when the second one is. */
    private static void onlyTheNewestBackupsAreKept() throws IOException {
        Path backups = Files.createDirectory(folder.resolve("backups"));
        Path inTheWay = Files.createDirectories(backups.resolve("cell.part/full"));
        try (CellaProcess command = CellaProcess.start(
                Map.of(),
                "cell",
                "backup",
                "--address",
                cell.address(),
                "--every",
                "1s",
                "--keep",
                "2",
                backups.resolve("cell").toString())) {
            command.awaitLine("no backup was made");
            Files.delete(inTheWay);
            await().atMost(CellaProcess.PATIENCE)
                    .until(() -> command.output()
                                    .lines()
                                    .filter(line -> line.startsWith("wrote "))
                                    .count()
                            >= 4);
        }
        try (Stream<Path> kept = Files.list(backups)) {
            // The command may have ended between a new backup and the removal of the oldest one.
            assertThat(kept.filter(file -> !file.toString().contains(".part"))).hasSizeBetween(2, 3);
        }
    }

    @Test
    void revivedReplica_hasTheTasksOfItsWholeLog() throws Exception {
        long logged = submit("logged");
        cell.killStore();
        Path dead = folder.resolve("dead");
        Files.move(folder.resolve("store"), dead);
        cella(
                "cell",
                "revive",
                dead.toString(),
                "--data",
                folder.resolve("store").toString());

        cell.restartStore();

        awaitRunningAgain("logged");
        assertThat(isRunning(logged)).as(cell::toString).isTrue();
        assertThat(starts("logged")).hasSize(1);
    }

    /** The cell takes claims on the machine again, so its agent has registered. */
    private static void awaitRunningAgain(String job) {
        client.awaitAnswer(
                "/v1/machines/m-001", row -> row.path("status").asText().equals("READY"));
        client.awaitTask(job + "/main/0", "RUNNING");
    }

    /** Submits a job of one task that runs on until it is stopped. Returns the task's process. */
    private static long submit(String name) {
        KilledPartsTest.makeWritable(folder);
        String script = "echo $$ >> %s; exec sleep 1000".formatted(folder.resolve(name));
        client.post("/v1/jobs", Jobs.batch(name, 1, "/bin/sh", "-c", script));
        client.awaitTask(name + "/main/0", "RUNNING");
        return Long.parseLong(starts(name).get(0));
    }

    private static List<String> starts(String name) {
        Path file = folder.resolve(name);
        await().atMost(CellaProcess.PATIENCE).until(() -> Files.exists(file) && Files.size(file) > 0);
        try {
            return Files.readAllLines(file);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    private static void cella(String... arguments) {
        try (CellaProcess command = CellaProcess.start(Map.of(), arguments)) {
            assertThat(command.awaitExit()).as(command::output).isZero();
        }
    }
}
