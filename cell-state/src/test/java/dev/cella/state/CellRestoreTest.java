package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cella.client.live.AgentConnection;
import dev.cella.client.live.Backoff;
import dev.cella.client.live.CellConnection;
import dev.cella.client.live.TransactionStream;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.client.proto.Registration;
import dev.cella.client.proto.RenewRequest;
import dev.cella.client.proto.Renewal;
import dev.cella.state.core.BackupReader;
import dev.cella.state.core.CheckpointHead;
import dev.cella.state.core.DamagedBackupException;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.Restoration;
import dev.cella.state.core.StartRefusedException;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.model.Verdict;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CellRestoreTest {
    private static final String CAPACITY = "{\"capacity\": {\"cpuMilli\": 4000, \"memoryMib\": 4096}}";
    private static final String JOB = """
        {"name": "job", "type": "batch", "groups": [
         {"count": 3, "resources": {"cpuMilli": 1, "memoryMib": 1}, "run": {"command": ["marked"]}}]}\
        """;
    private static final String PLACE =
            "{\"id\": \"t1\", \"scheduler\": \"batch\", \"claims\": [{\"task\": \"job/main/0\", \"machine\": \"m\"}]}";

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void restore_showsTheSameCellInAnotherIncarnation() throws Exception {
        Path backup = folder.resolve("backup");
        List<Long> digests;
        Incarnation before;
        try (CellServer server = start("first")) {
            fill(server);
            Files.write(backup, backup(server));
            digests = server.read(CellRestoreTest::tables);
            before = server.read(CellView::incarnation);
        }
        assertThat(CellRestore.check(backup).incarnation()).isEqualTo(before);

        CellRestore.restore(backup, folder.resolve("second"));

        for (int start = 0; start < 2; start++) {
            try (CellServer server = start("second")) {
                assertThat(server.<List<Long>>read(CellRestoreTest::tables)).isEqualTo(digests);
                assertThat(server.<Incarnation>read(CellView::incarnation)).isNotEqualTo(before);
                assertThat(send(server, "GET", "/v1/jobs/job", "").body()).contains("\"placed\":1", "marked");
                // It was decided before the backup, so it is not decided again.
                assertThat(send(server, "POST", "/v1/transactions", PLACE).body())
                        .doesNotContain("COMMITTED");
                String ofTheTimeBefore = PLACE.replaceFirst("\\{", "{\"incarnation\": \"" + before + "\", ");
                assertThat(send(server, "POST", "/v1/transactions", ofTheTimeBefore)
                                .body())
                        .contains("OTHER_INCARNATION");
            }
        }
        try (CellServer server = start("second")) {
            assertThat(send(server, "PUT", "/v1/machines/new", CAPACITY).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void transactionOfTheTimeBefore_sentAgain_isRefused_andTheNextOneOfTheStreamIsDecided() throws Exception {
        Path backup = folder.resolve("backup");
        Transaction before;
        Transaction withoutIncarnation;
        try (CellServer server = start("first")) {
            send(server, "PUT", "/v1/machines/m", CAPACITY);
            send(server, "POST", "/v1/jobs", JOB);
            before = server.read(view -> claim(view, "before", 0));
            withoutIncarnation = server.read(view -> claim(view, "silent", 1, Incarnation.UNSAID));
            assertThat(commit(server, before, withoutIncarnation))
                    .map(Outcome::verdict)
                    .containsExactly(Verdict.COMMITTED, Verdict.COMMITTED);
            Files.write(backup, backup(server));
        }
        CellRestore.restore(backup, folder.resolve("second"));
        try (CellServer server = start("second")) {
            Transaction next = server.read(view -> claim(view, "next", 2));
            List<Outcome> outcomes = commit(server, before, withoutIncarnation, next);
            assertThat(outcomes.get(0).reason()).hasValue(Reason.OTHER_INCARNATION);
            assertThat(outcomes.get(1).reason()).hasValue(Reason.OTHER_INCARNATION);
            assertThat(outcomes.get(2).verdict()).isEqualTo(Verdict.COMMITTED);
        }
    }

    private static Transaction claim(CellView view, String id, int index) {
        return claim(view, id, index, view.incarnation());
    }

    private static Transaction claim(CellView view, String id, int index, Incarnation incarnation) {
        return Transaction.builder(new TransactionId(id), "batch")
                .incarnation(incarnation)
                .basis(view.version())
                .claim(
                        new TaskId(view.job("job").orElseThrow().id(), 0, index),
                        1,
                        view.findMachine("m").orElseThrow())
                .build();
    }

    /** Commits them on one stream, as a live scheduler does. */
    private static List<Outcome> commit(CellServer server, Transaction... transactions) throws Exception {
        ScheduledExecutorService owner = Executors.newSingleThreadScheduledExecutor();
        try (CellConnection connection = CellConnection.open(URI.create(server.address()));
                TransactionStream stream = new TransactionStream(connection, owner, Backoff.standard(new Random(1)))) {
            List<CompletableFuture<Outcome>> answers =
                    Stream.of(transactions).map(stream::submit).toList();
            List<Outcome> outcomes = new ArrayList<>();
            for (CompletableFuture<Outcome> answer : answers) {
                outcomes.add(answer.get(60, TimeUnit.SECONDS));
            }
            return outcomes;
        } finally {
            owner.shutdownNow();
        }
    }

    @Test
    void restoredMachine_takesClaimsOnceItsAgentHasRegistered() throws Exception {
        Path backup = folder.resolve("backup");
        try (CellServer server = start("first")) {
            register(server, "boot.1");
            assertThat(machine(server)).contains("\"READY\"");
            Files.write(backup, backup(server));
        }
        CellRestore.restore(backup, folder.resolve("second"));
        try (CellServer server = start("second")) {
            assertThat(machine(server)).doesNotContain("\"READY\"");
            register(server, "boot.2");
            assertThat(machine(server)).contains("\"READY\"").doesNotContain("cella.restored");
        }
    }

    @Test
    void restoredMachine_withAsManyAttributesAsItMayHave_registersAgain() throws Exception {
        Path backup = folder.resolve("backup");
        Map<String, String> attributes = IntStream.range(0, Command.PutMachine.ATTRIBUTES_MAX)
                .mapToObj(number -> "a" + number)
                .collect(Collectors.toMap(name -> name, name -> "value"));
        try (CellServer server = start("first")) {
            register(server, "boot.1", attributes);
            Files.write(backup, backup(server));
        }
        CellRestore.restore(backup, folder.resolve("second"));
        try (CellServer server = start("second")) {
            register(server, "boot.1", attributes);
            assertThat(machine(server)).contains("\"READY\"");
            assertThat(server.<Map<String, String>>read(
                            view -> view.machine("agents").orElseThrow().attributes()))
                    .isEqualTo(attributes);
        }
    }

    @Test
    void agentOfTheTimeBefore_isToldWhatTheRestoredCellHas_andContinuesItsRegistration() throws Exception {
        Path backup = folder.resolve("backup");
        Registration before;
        long version;
        try (CellServer server = start("first")) {
            before = register(server, "boot.1");
            send(server, "POST", "/v1/machines/agents:drain", "{}");
            version = server.read(view -> view.version().number());
            Files.write(backup, backup(server));
        }
        CellRestore.restore(backup, folder.resolve("second"));
        Files.write(backup, bytesOf("second"));
        CellRestore.restore(backup, folder.resolve("third"));
        try (CellServer server = start("third")) {
            Renewal renewal = renew(server, before);
            assertThat(renewal.getKnown()).isFalse();
            assertThat(renewal.getRestoredVersion()).isEqualTo(version);
            assertThat(renew(server, before.toBuilder().setIncarnation(1).build())
                            .hasRestoredVersion())
                    .isFalse();

            assertThat(register(server, "boot.1").getRegisteredVersion()).isEqualTo(before.getRegisteredVersion());
            assertThat(machine(server)).contains("\"DRAINED\"").doesNotContain("cella.restored");
        }
    }

    /** A backup of the cell in that directory, whose agents have not come yet. */
    private byte[] bytesOf(String data) throws Exception {
        try (CellServer server = start(data)) {
            return backup(server);
        }
    }

    private static Renewal renew(CellServer server, Registration registration) throws Exception {
        try (CellConnection connection = CellConnection.open(URI.create(server.address()))) {
            return new AgentConnection(connection)
                    .renew(RenewRequest.newBuilder()
                            .setIncarnation(registration.getIncarnation())
                            .addRegisteredVersions(registration.getRegisteredVersion())
                            .build())
                    .get(60, TimeUnit.SECONDS)
                    .getRenewals(0);
        }
    }

    @Test
    void damagedBackups_andDirectoriesInUse_areRefused() throws Exception {
        Path backup = folder.resolve("backup");
        try (CellServer server = start("first")) {
            fill(server);
            Files.write(backup, backup(server));
            StartRefusedException refused = catchThrowableOfType(
                    StartRefusedException.class, () -> CellRestore.restore(backup, folder.resolve("first")));
            assertThat(refused).hasMessageContaining("is not empty");
        }
        byte[] bytes = Files.readAllBytes(backup);
        Files.write(backup, Arrays.copyOf(bytes, bytes.length - 1));
        assertThat(damaged(backup)).hasMessageContaining("was cut short");
        bytes[bytes.length / 2] ^= 1;
        Files.write(backup, bytes);
        assertThat(damaged(backup)).hasMessageContaining("damaged at byte");
        Files.writeString(backup, "something else");
        assertThat(damaged(backup)).hasMessageContaining("does not begin as a backup does");
        assertThat(folder.resolve("third")).doesNotExist();
    }

    @Test
    void backupOfANewerProgram_isRefused() throws Exception {
        BackupReader.Contents backup;
        try (CellServer server = start("first")) {
            fill(server);
            backup = BackupReader.read(new ByteArrayInputStream(backup(server)));
        }
        CheckpointHead head = backup.head();
        CheckpointHead raised = new CheckpointHead(
                head.cell(),
                head.incarnation(),
                head.position(),
                head.version(),
                head.cellTime(),
                EntryCodec.FEATURE_LEVEL_MAX + 1,
                head.digest());

        StartRefusedException refused = catchThrowableOfType(
                StartRefusedException.class,
                () -> Restoration.check(new BackupReader.Contents(raised, backup.pages(), backup.specifications())));

        assertThat(refused.why()).isEqualTo(StartRefusedException.Why.NEWER_PROGRAM);
        assertThat(refused).hasMessageStartingWith("the backup was written by a newer program: feature level");
    }

    /** A new, empty cell would be begun under the old name, and its agents would end all tasks. */
    @Test
    void restoredDirectory_whoseCheckpointIsDamaged_isRefusedAtEachStart() throws Exception {
        Path backup = folder.resolve("backup");
        try (CellServer server = start("first")) {
            fill(server);
            Files.write(backup, backup(server));
        }
        Path restored = folder.resolve("second");
        CellRestore.restore(backup, restored);
        Path hot;
        try (Stream<Path> files = Files.walk(restored)) {
            hot = files.filter(file -> file.getFileName().toString().startsWith("hot-"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(hot);
        bytes[bytes.length / 2] ^= 1;
        Files.write(hot, bytes);
        assertThat(CellVerification.verify(restored).damage()).hasSize(1);

        for (int attempt = 0; attempt < 2; attempt++) {
            StartRefusedException refused = catchThrowableOfType(
                    StartRefusedException.class, () -> start("second").close());
            assertThat(refused).hasMessageContaining("no checkpoint is whole");
            assertThat(refused.hint()).contains("cella cell restore");
            assertThat(CellVerification.verify(restored).damage()).hasSize(1);
        }
    }

    /** As a restore leaves it that was killed in its first moments. */
    @Test
    void directoryOfARestoreThatWasCutOff_isRefusedAtEachStart() throws Exception {
        Path restored = folder.resolve("second");
        DataDirectory.openToRestore(restored, new CellName("cell"), 0, UUID.randomUUID())
                .close();
        for (int attempt = 0; attempt < 2; attempt++) {
            StartRefusedException refused = catchThrowableOfType(
                    StartRefusedException.class, () -> start("second").close());
            assertThat(refused).hasMessageContaining("did not finish");
            assertThat(refused.hint()).contains("cella cell restore");
        }
    }

    /** The digest of each table. The digest of the whole state includes the incarnation. */
    private static List<Long> tables(CellView view) {
        CellDigests digests = view.digests();
        return List.of(
                digests.machines(),
                digests.jobs(),
                digests.tasks(),
                digests.sessions(),
                digests.policies(),
                digests.holds());
    }

    private DamagedBackupException damaged(Path backup) {
        return catchThrowableOfType(
                DamagedBackupException.class, () -> CellRestore.restore(backup, folder.resolve("third")));
    }

    private void fill(CellServer server) throws Exception {
        send(server, "PUT", "/v1/machines/m", CAPACITY);
        send(server, "POST", "/v1/jobs", JOB);
        assertThat(send(server, "POST", "/v1/transactions", PLACE).body()).contains("COMMITTED");
    }

    private static Registration register(CellServer server, String bootId) throws Exception {
        return register(server, bootId, Map.of());
    }

    private static Registration register(CellServer server, String bootId, Map<String, String> attributes)
            throws Exception {
        try (CellConnection connection = CellConnection.open(URI.create(server.address()))) {
            return new AgentConnection(connection)
                    .register(RegisterRequest.newBuilder()
                            .setMachine("agents")
                            .setBootId(bootId)
                            .setAddress("http://127.0.0.1:1")
                            .putCapacity("cpuMilli", 1000)
                            .putCapacity("memoryMib", 1000)
                            .putAllAttributes(attributes)
                            .build())
                    .get(60, TimeUnit.SECONDS);
        }
    }

    private String machine(CellServer server) throws Exception {
        return send(server, "GET", "/v1/machines/agents", "").body();
    }

    private byte[] backup(CellServer server) throws Exception {
        HttpResponse<byte[]> answer = http.send(
                HttpRequest.newBuilder(URI.create(server.address() + "/v1/backup"))
                        .build(),
                BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }

    private HttpResponse<String> send(CellServer server, String method, String path, String body) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create(server.address() + path))
                        .header("Content-Type", "application/json")
                        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private CellServer start(String data) throws Exception {
        CellServerOptions options =
                CellServerOptions.defaults(folder.resolve(data)).withPort(0).withFreeBytesMin(0);
        return CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        });
    }
}
