package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.Lane;
import dev.cella.state.core.LogPeer;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.Samples;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.StartRefusedException.Why;
import dev.cella.transactions.model.CellName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rows of the table of damage in {@code docs/damage.md} that a stopped replica can show, with the result of each.
 */
class CellVerificationTest {
    private static final CellName CELL = new CellName("cell");

    /** Can be opened, and fails with an input/output error when it is read, because there is nothing at address 0. */
    private static final Path UNREADABLE = Path.of("/proc/self/mem");

    private static final ReplicaOptions OPTIONS =
            ReplicaOptions.defaults().withLimits(ReplicaLimits.defaults().withCheckpointLogBytes(20_000));

    /** One directory for all: each case has a copy of its own. */
    @TempDir
    private static Path filled;

    @TempDir
    private Path folder;

    private Path data;

    @BeforeAll
    static void fill() throws Exception {
        fill(filled, "m-");
    }

    @BeforeEach
    void copyFilled() throws Exception {
        data = folder.resolve("data");
        TreeCopy.make(filled, data);
    }

    private static void fill(Path data, String prefix) throws Exception {
        try (DataDirectory directory = open(data);
                EmbeddedReplica replica = EmbeddedReplica.open(directory, OPTIONS, CellVerificationTest::depart)) {
            replica.replica().ready().join();
            List<CompletableFuture<?>> answers = new ArrayList<>();
            for (int number = 0; number < 2_000; number++) {
                answers.add(replica.replica().submit(Lane.OPERATORS, Samples.TEST, Samples.machine(prefix + number)));
            }
            answers.forEach(CompletableFuture::join);
        }
    }

    @Test
    void wholeDirectory_isWhole_andIsNotChanged() throws Exception {
        CellVerification.Found found = CellVerification.verify(data);
        assertThat(found.damage()).isEmpty();
        assertThat(found.whole())
                .anyMatch(line -> line.startsWith("checkpoint"))
                .anyMatch(line -> line.contains("log_"));
        startAgain();
    }

    @Test
    void directoryInUse_isRefused() throws Exception {
        try (DataDirectory directory = open(data)) {
            StartRefusedException refused =
                    catchThrowableOfType(StartRefusedException.class, () -> CellVerification.verify(directory.path()));
            assertThat(refused.why()).isEqualTo(Why.DIRECTORY_IN_USE);
        }
    }

    @Test
    void flippedByteInTheNewestCheckpoint_isNamed_andTheOlderOneIsUsed() throws Exception {
        flip(newest(path -> path.getFileName().toString().startsWith("hot-")));
        assertThat(CellVerification.verify(data).damage())
                .singleElement()
                .asString()
                .contains("its file hot-", "checksum");
        startAgain();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0x80})
    void damagedManifest_isNamed_andTheOlderCheckpointIsUsed(int bit) throws Exception {
        flip(newest(path -> path.endsWith("manifest")), bit);
        assertThat(CellVerification.verify(data).damage())
                .singleElement()
                .asString()
                .contains("manifest");
        startAgain();
    }

    @ParameterizedTest
    @ValueSource(strings = {"manifest", "hot-", "CURRENT"})
    void fileThatTheDiskCannotRead_isNamed_andTheOlderCheckpointIsUsed(String name) throws Exception {
        Path file = newest(path -> path.getFileName().toString().startsWith(name));
        Files.delete(file);
        Files.createSymbolicLink(file, UNREADABLE);
        assertThat(CellVerification.verify(data).damage())
                .singleElement()
                .asString()
                .contains(name, "cannot be read: Input/output error");
        startAgain();
    }

    @Test
    void missingDatabaseFile_isNamed_andTheOlderCheckpointIsUsed() throws Exception {
        Files.delete(newest(path -> path.getFileName().toString().startsWith("MANIFEST-")));
        assertThat(CellVerification.verify(data).damage())
                .singleElement()
                .asString()
                .contains("is missing");
        startAgain();
    }

    @Test
    void flippedByteInTheLog_isNamedWithItsPosition_andRefused() throws Exception {
        flip(newest(path -> path.getFileName().toString().startsWith("log_inprogress")));
        assertThat(CellVerification.verify(data).damage())
                .singleElement()
                .asString()
                .contains("is damaged at byte");
        StartRefusedException refused =
                catchThrowableOfType(StartRefusedException.class, CellVerificationTest.this::startAgain);
        assertThat(refused.why()).isEqualTo(Why.DAMAGED);
    }

    @Test
    void missingIdentity_isRefused() throws Exception {
        Files.delete(data.resolve("identity"));
        assertThat(catchThrowableOfType(StartRefusedException.class, () -> CellVerification.verify(data)))
                .hasMessageContaining("no file identity");
    }

    @Test
    void nothingThere_isToldInWords() {
        Path nowhere = data.resolve("nowhere");
        assertThatThrownBy(() -> CellVerification.verify(nowhere)).hasMessage("there is nothing at " + nowhere);
        assertThatThrownBy(() -> CellRevival.revive(nowhere, data.resolve("revived")))
                .hasMessage("there is no directory " + nowhere);
    }

    /** Otherwise the program that wrote it would find none afterwards. */
    @ParameterizedTest
    @ValueSource(strings = {"format", "featureLevel"})
    void checkpointOfANewerProgram_isRefused_andStaysInItsPlace(String key) throws Exception {
        Path manifest = newest(path -> path.endsWith("manifest"));
        String before = Files.readString(manifest);
        change(manifest, key + "=.*", key + "=99");
        assertThat(catchThrowableOfType(StartRefusedException.class, () -> CellVerification.verify(data)))
                .hasMessageContaining("was written by a newer program");
        StartRefusedException refused =
                catchThrowableOfType(StartRefusedException.class, CellVerificationTest.this::startAgain);
        assertThat(refused.why()).isEqualTo(Why.NEWER_PROGRAM);
        assertThat(refused).hasMessageContaining(" 99, this program knows ");
        Files.writeString(manifest, before);
        assertThat(CellVerification.verify(data).damage()).isEmpty();
        startAgain();
    }

    @Test
    void olderManifestInTheNewestCheckpoint_isNamed_andTheOlderOneIsUsed() throws Exception {
        fill(data, "n-");
        List<Path> manifests = all(path -> path.endsWith("manifest"));
        assertThat(manifests).hasSize(2);
        Files.copy(manifests.get(0), manifests.get(1), StandardCopyOption.REPLACE_EXISTING);
        assertThat(CellVerification.verify(data).damage()).hasSize(1);
        startAgain();
    }

    /** The file comes from another cell, or from a later checkpoint. */
    @Test
    void moreTablesInTheNewestCheckpoint_areNamed_andTheOlderOneIsUsed() throws Exception {
        fill(data, "n-");
        Path tables =
                all(path -> path.getFileName().toString().startsWith("hot-")).get(0);
        Path newest = newest(path -> path.endsWith("manifest"));
        Files.copy(tables, newest.resolveSibling("hot-9000000000000000000"));
        assertThat(CellVerification.verify(data).damage())
                .singleElement()
                .asString()
                .contains("its tables");
        startAgain();
    }

    /** The file comes from a cell with the same name. By its version it would be the newest one. */
    @Test
    void checkpointOfAnotherCell_isNamed_andTheOlderOneIsUsed() throws Exception {
        change(newest(path -> path.endsWith("manifest")), "cellId=.*", "cellId=" + UUID.randomUUID());
        assertThat(CellVerification.verify(data).damage())
                .singleElement()
                .asString()
                .contains("it is of another cell");
        startAgain();
    }

    /** Nothing of its log is left, and a start takes it. A lone replica would have lost what came after the checkpoint. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void directoryWithACheckpointOfAnotherAndNoLog_isRevivedFromIt_unlessItsReplicaWasAlone(int replicas)
            throws Exception {
        for (Path segment : all(path -> path.getFileName().toString().startsWith("log_"))) {
            Files.delete(segment);
        }
        Files.delete(data.resolve("log/closed"));
        try (DataDirectory directory = open(data)) {
            directory.keepPeers(IntStream.rangeClosed(1, replicas)
                    .mapToObj(number -> new LogPeer("r" + number, "127.0.0.1:" + number, "http://127.0.0.1:" + number))
                    .toList());
        }
        Path revived = folder.resolve("revived");
        if (replicas == 1) {
            assertThat(catchThrowableOfType(StartRefusedException.class, () -> CellRevival.revive(data, revived)))
                    .hasMessageContaining("is gone");
            return;
        }
        LogPosition last = CellRevival.revive(data, revived).last();
        assertThat(newest(path -> path.endsWith("manifest")).toString()).contains("-%019d/".formatted(last.index()));
        assertThat(CellVerification.verify(revived).damage()).isEmpty();
    }

    private void startAgain() throws Exception {
        try (DataDirectory directory = open(data);
                EmbeddedReplica replica = EmbeddedReplica.open(directory, OPTIONS, CellVerificationTest::depart)) {
            replica.replica().ready().join();
            assertThat(replica.replica()
                            .<Boolean>read(view -> view.machine("m-1999").isPresent()))
                    .isTrue();
        }
    }

    private static DataDirectory open(Path data) throws StartRefusedException {
        return DataDirectory.open(data, CELL, 0, UUID.randomUUID());
    }

    private static void depart(String message, Throwable cause) {
        throw new AssertionError(message, cause);
    }

    private Path newest(Predicate<Path> which) throws IOException {
        List<Path> found = all(which);
        return found.get(found.size() - 1);
    }

    /** In the order of their paths, so the newest comes last. The live database is scratch. */
    private List<Path> all(Predicate<Path> which) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(Files::isRegularFile)
                    .filter(path -> !path.startsWith(data.resolve("live")))
                    .filter(which)
                    .sorted()
                    .toList();
        }
    }

    /** With the checksum that it has then. */
    private static void change(Path manifest, String what, String to) throws IOException {
        String text = Files.readString(manifest).replaceFirst(what, to).replaceFirst("checksum=.*\n", "");
        CRC32C checksum = new CRC32C();
        checksum.update(text.getBytes(StandardCharsets.UTF_8));
        Files.writeString(manifest, text + "checksum=" + Long.toHexString(checksum.getValue()) + "\n");
    }

    private static void flip(Path file) throws IOException {
        flip(file, 1);
    }

    private static void flip(Path file, int bit) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int last = bytes.length - 1;
        while (last > 0 && bytes[last] == 0) {
            last--;
        }
        bytes[last / 2] ^= (byte) bit;
        Files.write(file, bytes);
    }
}
