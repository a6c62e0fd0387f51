package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server and a {@code cella dev} whose disk is full, as their callers see it. */
@Timeout(600)
class FullDiskTest {
    private static final String ADDRESS = "(http://127\\.0\\.0\\.1:\\d+)";
    private static final int ROOM_KIB = 256;
    private static final int LETTERS_OF_A_WORD = 3_000;

    /** A file of the log has 16 MiB, and is full after twenty of these. */
    private static final int WORDS_OF_A_LARGE_JOB = 300;

    @TempDir
    Path folder;

    @Test
    void diskFull_serverLeavesSayingSo_andHasAllThatWasAcknowledgedWhenThereIsRoomAgain() throws IOException {
        Files.writeString(folder.resolve("server.yaml"), "logSegmentBytes: 16384\ncheckpointLogBytes: 1048576\n");
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"))) {
            List<String> acknowledged = new ArrayList<>();
            String[] command = {
                "server", "--config", folder.resolve("server.yaml").toString()
            };
            try (CellaProcess server = start(disk, command)) {
                fill(disk, server, 1, acknowledged);
                assertThat(server.output()).containsPattern("error: (the log|cannot write)");
            }
            hasAllOf(acknowledged, disk, command);
        }
    }

    @Test
    void diskFull_devLeavesSayingWhatToDo_andHasAllThatWasAcknowledgedWhenThereIsRoomAgain() {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"))) {
            List<String> acknowledged = new ArrayList<>();
            try (CellaProcess dev = start(disk, "dev")) {
                dev.awaitLine("^next:");
                fill(disk, dev, WORDS_OF_A_LARGE_JOB, acknowledged);
                assertThat(dev.output())
                        .containsPattern("error: (the log|cannot write).*: No space left on device\n"
                                + "hint:  free some space there and start it again; everything acknowledged is kept");
            }
            hasAllOf(acknowledged, disk, "dev");
        }
    }

    private CellaProcess start(SmallDisk disk, String... command) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(
                List.of("--data", folder.resolve("disk").resolve("data").toString(), "--port", "0"));
        return CellaProcess.start(
                disk.enter(),
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString()),
                arguments.toArray(String[]::new));
    }

    /** A cella dev needs the token on its disk; a server on loopback needs none. */
    private OutsideClient client(SmallDisk disk, CellaProcess process) {
        String address = process.awaitLine(ADDRESS);
        String token = disk.read(folder.resolve("disk").resolve("data").resolve("token"));
        return token.isEmpty() ? new OutsideClient(address) : new OutsideClient(address, token);
    }

    /** Submits jobs with {@code words} words until the process has left. The first one has room. */
    private void fill(SmallDisk disk, CellaProcess process, int words, List<String> acknowledged) {
        OutsideClient client = client(disk, process);
        disk.leaveRoomFor(ROOM_KIB + words * LETTERS_OF_A_WORD / 1024);
        while (process.isAlive()) {
            submit(client, "job-" + acknowledged.size(), words).ifPresent(acknowledged::add);
        }
        assertThat(process.awaitExit()).as(process::output).isEqualTo(1);
    }

    private void hasAllOf(List<String> acknowledged, SmallDisk disk, String... command) {
        disk.makeRoom();
        try (CellaProcess again = start(disk, command)) {
            OutsideClient client = client(disk, again);
            assertThat(acknowledged).isNotEmpty();
            acknowledged.forEach(job -> client.get("/v1/jobs/" + job));
        }
    }

    /** A large job without a scheduler. Returns its name if it was acknowledged. */
    private static Optional<String> submit(OutsideClient client, String name, int words) {
        String[] command = new String[words];
        Arrays.fill(command, "x".repeat(LETTERS_OF_A_WORD));
        String job = Jobs.batch(name, 1, command).replace("\"batch\"", "\"batch\", \"scheduler\": \"nobody\"");
        return client.tryToSend("POST", "/v1/jobs", job)
                .map(HttpResponse::statusCode)
                .filter(status -> status == 201 || status == 200)
                .map(status -> name);
    }
}
