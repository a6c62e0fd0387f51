package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.state.core.DataDirectory;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.model.CellName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledReplicaTest {
    private static final Pattern ACKNOWLEDGEMENT = Pattern.compile("(\\S+) (\\d+)\n");
    private static final int ACKNOWLEDGED_BEFORE_THE_KILL = 3_000;

    /** The output of the processes, because the data directory must contain only the replica's own files. */
    @TempDir
    private Path folder;

    private Path data() {
        return folder.resolve("data");
    }

    @Test
    void killedUnderLoad_nothingAcknowledgedIsLostAndEveryRestartAgrees() throws Exception {
        Map<String, Long> acknowledged = new LinkedHashMap<>();
        for (String round : List.of("a-", "b-")) {
            runUntilKilled(round, acknowledged);
            assertThat(libraries())
                    .as("code that ran, and which damage of the directory would change")
                    .isEmpty();
            long digest = restartAndCheck(acknowledged);
            assertThat(restartAndCheck(acknowledged)).as("a second restart").isEqualTo(digest);
        }
        assertThat(checkpoints()).as("the kills met checkpoints").isNotEmpty();
    }

    private void runUntilKilled(String prefix, Map<String, Long> acknowledged) throws Exception {
        Path said = folder.resolve(prefix + "said");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ReplicaUntilKilled.class.getName(),
                        data().toString(),
                        prefix)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(said.toFile())
                .start();
        try {
            await().atMost(180, TimeUnit.SECONDS)
                    .until(() -> acknowledgements(said).size() >= ACKNOWLEDGED_BEFORE_THE_KILL);
        } finally {
            process.destroyForcibly().waitFor();
        }
        acknowledged.putAll(acknowledgements(said));
    }

    /** Counts only whole lines: the last line of a killed process may be incomplete. */
    private static Map<String, Long> acknowledgements(Path said) throws IOException {
        Map<String, Long> read = new LinkedHashMap<>();
        Matcher line = ACKNOWLEDGEMENT.matcher(Files.readString(said));
        while (line.find()) {
            read.put(line.group(1), Long.parseLong(line.group(2)));
        }
        return read;
    }

    private long restartAndCheck(Map<String, Long> acknowledged) throws Exception {
        List<String> departures = new ArrayList<>();
        try (DataDirectory directory =
                        DataDirectory.open(data(), new CellName(ReplicaUntilKilled.CELL), 0, UUID.randomUUID());
                EmbeddedReplica embedded = EmbeddedReplica.open(
                        directory,
                        ReplicaOptions.defaults().withLimits(ReplicaUntilKilled.LIMITS),
                        (message, cause) -> departures.add(message))) {
            embedded.replica().ready().get(120, TimeUnit.SECONDS);
            assertThat(departures).isEmpty();
            return embedded.replica().read(view -> check(view, acknowledged));
        }
    }

    private static long check(CellView view, Map<String, Long> acknowledged) {
        acknowledged.forEach((name, version) -> {
            Optional<MachineRow> machine = view.machine(name);
            assertThat(machine).as(name).isPresent();
            assertThat(machine.get().id().version()).as(name).isEqualTo(version);
        });
        return view.digest();
    }

    private List<Path> libraries() throws IOException {
        try (Stream<Path> all = Files.list(data().resolve("live"))) {
            return all.filter(one -> one.getFileName().toString().contains("jni"))
                    .toList();
        }
    }

    private List<Path> checkpoints() throws IOException {
        try (Stream<Path> all = Files.list(data().resolve("checkpoints"))) {
            return all.filter(one -> one.getFileName().toString().startsWith("checkpoint-"))
                    .toList();
        }
    }
}
