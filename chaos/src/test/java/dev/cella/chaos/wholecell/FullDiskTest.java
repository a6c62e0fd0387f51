package dev.cella.chaos.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose disk is full, as its callers see it. */
@Timeout(600)
class FullDiskTest {
    private static final String ADDRESS = "(http://127\\.0\\.0\\.1:\\d+)";
    private static final int ROOM_KIB = 256;

    @TempDir
    Path folder;

    @Test
    void diskFull_serverLeavesSayingSo_andHasAllThatWasAcknowledgedWhenThereIsRoomAgain() throws IOException {
        Files.writeString(folder.resolve("server.yaml"), "logSegmentBytes: 16384\ncheckpointLogBytes: 1048576\n");
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"))) {
            List<String> acknowledged = new ArrayList<>();
            try (CellaProcess server = start(disk)) {
                OutsideClient client = new OutsideClient(server.awaitLine(ADDRESS));
                disk.leaveRoomFor(ROOM_KIB);
                while (server.isAlive()) {
                    submit(client, "job-" + acknowledged.size()).ifPresent(acknowledged::add);
                }
                assertThat(server.awaitExit()).as(server::output).isEqualTo(1);
                assertThat(server.output()).containsPattern("error: (the log|cannot write)");
            }
            disk.makeRoom();
            try (CellaProcess server = start(disk)) {
                OutsideClient client = new OutsideClient(server.awaitLine(ADDRESS));
                assertThat(acknowledged).isNotEmpty();
                acknowledged.forEach(job -> client.get("/v1/jobs/" + job));
            }
        }
    }

    private CellaProcess start(SmallDisk disk) {
        return CellaProcess.start(
                disk.enter(),
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString()),
                "server",
                "--config",
                folder.resolve("server.yaml").toString(),
                "--data",
                folder.resolve("disk").resolve("data").toString(),
                "--port",
                "0");
    }

    /** A job that takes some room; its name where it was acknowledged. */
    private static Optional<String> submit(OutsideClient client, String name) {
        return client.tryToSend("POST", "/v1/jobs", Jobs.batch(name, 1, "x".repeat(3_000)))
                .map(HttpResponse::statusCode)
                .filter(status -> status == 201 || status == 200)
                .map(status -> name);
    }
}
