package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.core.ReplicaLimits;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Incarnation;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Data directories that earlier programs wrote, each with a checkpoint and a log that goes on after it. Today's program starts
 * with them, changes the cell, and starts again. A directory is never written again by a later program: each new feature level
 * adds one, with {@code -Dcella.golden.directory=level-6.zip}.
 *
 * <p>In each are two machines and two jobs of three tasks. Two tasks of each job are placed. At level 2 and 3 the machines have
 * the set {@code ports}. At level 3 both jobs were updated. From level 5 on, the third task of
 * the first job waits in the queue of the first machine. From level 6 on, a third job was stopped with a grace of ten seconds.
 * From level 7 on, the third task of the second job is spare work on the second machine. From level 8 on, a scheduler has
 * scaled a fourth job from three tasks to four. From level 9 on, the first task of the second job has a copy, which is pending.
 * From level 10 on, the first job holds amounts on the second machine until its third task is placed. From level 12 on, two
 * tasks of the fourth job run: the first has passed its check, and the second has not yet.
 */
class GoldenDirectoryTest {
    private static final String TO_WRITE = "cella.golden.directory";
    private static final String RUNNING = "{\"attempt\": 1, \"state\": \"RUNNING\", \"checked\": %s}";

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    @ParameterizedTest
    @CsvSource({
        "level-1.zip, 1",
        "level-2.zip, 2",
        "level-3.zip, 3",
        "level-4.zip, 4",
        "level-5.zip, 5",
        "level-6.zip, 6",
        "level-7.zip, 7",
        "level-8.zip, 8",
        "level-9.zip, 9",
        "level-10.zip, 10",
        "level-11.zip, 11",
        "level-12.zip, 12"
    })
    void directoryOfAnEarlierProgram_startsWithAllThatItHas(String zip, int level) throws Exception {
        unpack(zip);
        assertThat(CellVerification.verify(folder).damage()).isEmpty();
        Incarnation incarnation;
        try (CellServer server = start()) {
            incarnation = server.read(CellView::incarnation);
            assertThat(server.<Integer>read(CellView::featureLevel)).isEqualTo(level);
            assertThat(send(server, "GET", "/v1/jobs/job-0", "")).contains("\"placed\":2", "\"pending\":1", "sleep");
            assertThat(send(server, "GET", "/v1/jobs/job-1", ""))
                    .contains(level < 7 ? "\"placed\":2" : "\"placed\":3", "sleep");
            assertThat(send(server, "GET", "/v1/machines/m-1", "")).contains("\"rack\":\"r1\"");
            assertThat(send(server, "GET", "/v1/machines/m-1", "").contains("\"ports\":\"8000-8010\""))
                    .isEqualTo(level == 2 || level == 3);
            assertThat(send(server, "GET", "/v1/jobs/job-0", "").contains("\"generation\":2"))
                    .isEqualTo(level == 3);
            assertThat(send(server, "GET", "/v1/machines/m-0", "").contains("\"queued\":1"))
                    .isEqualTo(level >= 5);
            assertThat(send(server, "GET", "/v1/jobs/job-2", "").contains("STOPPED"))
                    .isEqualTo(level >= 6);
            assertThat(send(server, "GET", "/v1/tasks/job-1/main/2", "").contains("\"spare\":true"))
                    .isEqualTo(level >= 7);
            if (level >= 8) {
                assertThat(send(server, "GET", "/v1/jobs/job-3", "")).contains("\"count\":4", "\"count\":3");
            }
            assertThat(send(server, "GET", "/v1/tasks/job-1/main~copies/0", "").contains("PENDING"))
                    .isEqualTo(level >= 9);
            assertThat(send(server, "GET", "/v1/machines/m-1", "").contains("\"wanted\""))
                    .isEqualTo(level >= 10);
            assertThat(send(server, "GET", "/v1/tasks/job-3/main/0", "").contains("\"checked\":true"))
                    .isEqualTo(level >= 12);
            assertThat(send(server, "GET", "/v1/tasks/job-3/main/1", "").contains("\"checked\":false"))
                    .isEqualTo(level >= 12);
            assertThat(send(
                            server,
                            "POST",
                            "/v1/transactions",
                            "{\"id\": \"new\", \"scheduler\": \"batch\", \"claims\":"
                                    + " [{\"task\": \"job-0/main/2\", \"machine\": \"m-1\"}]}"))
                    .contains("COMMITTED");
        }
        try (CellServer server = start()) {
            assertThat(server.<Incarnation>read(CellView::incarnation)).isEqualTo(incarnation);
            assertThat(send(server, "GET", "/v1/jobs/job-0", "")).contains("\"placed\":3");
            assertThat(send(server, "GET", "/v1/machines/m-1", "")).doesNotContain("\"wanted\"");
        }
    }

    @Test
    @EnabledIfSystemProperty(named = TO_WRITE, matches = "level-[0-9]+[.]zip")
    void directoryOfThisProgram_isWritten() throws Exception {
        try (CellServer server = start(1)) {
            for (String machine : List.of("m-0", "m-1")) {
                String rack = machine.replace("m-", "r");
                send(
                        server,
                        "PUT",
                        "/v1/machines/" + machine,
                        "{\"capacity\": {\"cpuMilli\": 4000, \"memoryMib\": 4096}, \"attributes\": {\"rack\": \"" + rack
                                + "\"}}");
            }
            submitAndPlace(server, "job-0");
            send(server, "POST", "/v1/transactions", transaction("q", claim("job-0/main/2", "m-0", "QUEUE")));
            send(server, "POST", "/v1/transactions", """
                    {"id": "h", "scheduler": "batch", "holds": [{"job": "job-0", "machine": "m-1", "expiresAfter": "168h",
                     "resources": {"cpuMilli": 100}}]}""");
        }
        try (CellServer server = start(Long.MAX_VALUE)) {
            submitAndPlace(server, "job-1");
            send(server, "POST", "/v1/transactions", transaction("s", claim("job-1/main/2", "m-1", "SPARE")));
            send(server, "POST", "/v1/transactions", """
                    {"id": "c", "scheduler": "batch", "steps": [{"task": "job-1/main/0", "step": "COPY", "attempt": 1}]}
                    """);
            submitAndPlace(server, "job-2");
            send(server, "DELETE", "/v1/jobs/job-2?grace=10s", "");
            submitAndPlace(server, "job-3");
            send(server, "POST", "/v1/tasks/job-3/main/0:status", RUNNING.formatted(true));
            send(server, "POST", "/v1/tasks/job-3/main/1:status", RUNNING.formatted(false));
            send(server, "POST", "/v1/transactions", """
                    {"id": "more", "scheduler": "batch", "scales": [{"job": "job-3", "count": 4}]}""");
        }
        pack(Path.of("src/test/resources/dev/cella/state/directories", System.getProperty(TO_WRITE)));
    }

    private void submitAndPlace(CellServer server, String job) throws Exception {
        send(server, "POST", "/v1/jobs", """
                {"name": "%s", "type": "batch", "groups": [{"count": 3, "resources":
                 {"cpuMilli": 500, "memoryMib": 64}, "run": {"command": ["sleep", "60"]}}]}
                """.formatted(job));
        String claims = claim(job + "/main/0", "m-0", "PLACE") + ", " + claim(job + "/main/1", "m-1", "PLACE");
        assertThat(send(server, "POST", "/v1/transactions", transaction("place-" + job, claims)))
                .contains("COMMITTED");
    }

    private static String transaction(String id, String claims) {
        return "{\"id\": \"" + id + "\", \"scheduler\": \"batch\", \"claims\": [" + claims + "]}";
    }

    private static String claim(String task, String machine, String kind) {
        return "{\"task\": \"%s\", \"machine\": \"%s\", \"kind\": \"%s\"}".formatted(task, machine, kind);
    }

    /** Writes the durable files: the folder {@code live} is scratch. */
    private void pack(Path zip) throws IOException {
        try (ZipOutputStream files = new ZipOutputStream(Files.newOutputStream(zip, StandardOpenOption.CREATE_NEW));
                Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                String name = folder.relativize(file).toString();
                if (name.matches("(identity|checkpoints/.*|log/.*)") && !name.endsWith(".lock")) {
                    files.putNextEntry(new ZipEntry(name));
                    Files.copy(file, files);
                }
            }
        }
    }

    private void unpack(String zip) throws IOException {
        try (InputStream bytes = Objects.requireNonNull(getClass().getResourceAsStream("directories/" + zip));
                ZipInputStream files = new ZipInputStream(bytes)) {
            for (ZipEntry entry = files.getNextEntry(); entry != null; entry = files.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(files, file);
            }
        }
    }

    private CellServer start() throws Exception {
        return start(Long.MAX_VALUE);
    }

    private CellServer start(long checkpointLogBytes) throws Exception {
        ReplicaOptions replica = ReplicaOptions.defaults()
                .withLimits(ReplicaLimits.defaults().withCheckpointLogBytes(checkpointLogBytes));
        CellServerOptions options = CellServerOptions.defaults(folder)
                .withPort(0)
                .withFreeBytesMin(0)
                .withReplica(replica);
        return CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        });
    }

    private String send(CellServer server, String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.address() + path))
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString()).body();
    }
}
