package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Data directories that earlier programs wrote, each with a checkpoint and a log that goes on after it. Today's program starts
 * with them, changes the cell, and starts again. A directory is never written again by a later program: each new feature level
 * adds one.
 *
 * <p>In each are two machines and two jobs of three tasks. Two tasks of each job are placed. From level 5 on, the third task of
 * the first job waits in the queue of the first machine.
 */
class GoldenDirectoryTest {
    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    @ParameterizedTest
    @CsvSource({"level-1.zip, 1", "level-4.zip, 4", "level-5.zip, 5"})
    void directoryOfAnEarlierProgram_startsWithAllThatItHas(String zip, int level) throws Exception {
        unpack(zip);
        assertThat(CellVerification.verify(folder).damage()).isEmpty();
        Incarnation incarnation;
        try (CellServer server = start()) {
            incarnation = server.read(CellView::incarnation);
            assertThat(server.<Integer>read(CellView::featureLevel)).isEqualTo(level);
            assertThat(send(server, "GET", "/v1/jobs/job-0", "")).contains("\"placed\":2", "\"pending\":1", "sleep");
            assertThat(send(server, "GET", "/v1/jobs/job-1", "")).contains("\"placed\":2", "\"pending\":1", "sleep");
            assertThat(send(server, "GET", "/v1/machines/m-1", "")).contains("\"rack\":\"r1\"");
            assertThat(send(server, "GET", "/v1/machines/m-0", "").contains("\"queued\":1"))
                    .isEqualTo(level >= 5);
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
        return CellServer.start(
                CellServerOptions.defaults(folder).withPort(0).withFreeBytesMin(0), (message, cause) -> {
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
