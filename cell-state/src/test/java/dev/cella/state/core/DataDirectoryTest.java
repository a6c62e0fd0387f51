package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cella.state.core.StartRefusedException.Why;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.CellName;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataDirectoryTest {
    private static final CellName DEV = new CellName("dev");

    @TempDir
    private Path parent;

    @Test
    void open_new_isOfThatCellAndHasNoLog() throws Exception {
        UUID id = UUID.randomUUID();
        try (DataDirectory directory = DataDirectory.open(parent.resolve("a/b"), DEV, 0, id)) {
            assertThat(directory.cell()).isEqualTo(DEV);
            assertThat(directory.cellId()).isEqualTo(id);
            assertThat(directory.hasLog()).isFalse();
        }
    }

    @Test
    void open_ofAnyDirectory_closesItToOtherUsers() throws Exception {
        Path path = Files.createDirectory(parent.resolve("open"));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (DataDirectory directory = DataDirectory.open(path, DEV, 0, UUID.randomUUID())) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.path())))
                    .isEqualTo("rwx------");
            for (String file : List.of("lock", "identity")) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path.resolve(file))))
                        .as(file)
                        .isEqualTo("rw-------");
            }
        }
    }

    @Test
    void open_again_keepsIdAndLog() throws Exception {
        UUID id = UUID.randomUUID();
        try (DataDirectory directory = DataDirectory.open(parent, DEV, 0, id)) {
            directory.markLogBegun();
        }
        try (DataDirectory directory = open(DEV)) {
            assertThat(directory.cellId()).isEqualTo(id);
            assertThat(directory.hasLog()).isTrue();
        }
    }

    /** The log tells its members on a thread of its own, while the start records that the log was begun. */
    @Test
    void identity_changedByTwoThreads_hasBothChanges() throws Exception {
        LogPeer peer = new LogPeer("r1", "127.0.0.1:1", "");
        for (int round = 0; round < 20; round++) {
            Path path = parent.resolve("round-" + round);
            try (DataDirectory directory = DataDirectory.open(path, DEV, 0, UUID.randomUUID())) {
                CyclicBarrier together = new CyclicBarrier(2);
                CompletableFuture<Void> telling = CompletableFuture.runAsync(() -> {
                    try {
                        together.await();
                        directory.keepPeers(List.of(peer));
                    } catch (Exception failure) {
                        throw new CompletionException(failure);
                    }
                });
                together.await();
                directory.markLogBegun();
                telling.join();
            }
            DirectoryIdentity kept = DataDirectory.readIdentityOf(path);
            assertThat(kept.hasLog()).isTrue();
            assertThat(kept.peers()).containsExactly(peer);
        }
    }

    @Test
    void open_whileInUse_namesTheHolderAndItsAddress() throws Exception {
        try (DataDirectory directory = open(DEV)) {
            directory.announce("http://127.0.0.1:7070");
            StartRefusedException refused = refused(DEV);
            assertThat(refused.why()).isEqualTo(Why.DIRECTORY_IN_USE);
            assertThat(refused.pid()).contains(ProcessHandle.current().pid());
            assertThat(refused.address()).contains("http://127.0.0.1:7070");
            assertThat(refused).hasMessageContaining("in use by pid");
        }
    }

    @Test
    void open_afterRefusal_worksOnceItIsFree() throws Exception {
        try (DataDirectory directory = open(DEV)) {
            assertThat(refused(DEV).address()).isEmpty();
            assertThat(directory.path()).exists();
        }
        open(DEV).close();
    }

    @Test
    void open_ofAnotherCell_isRefused() throws Exception {
        open(DEV).close();
        StartRefusedException refused = refused(new CellName("other"));
        assertThat(refused.why()).isEqualTo(Why.OTHER_CELL);
        assertThat(refused).hasMessageContaining("belongs to the cell dev, not to other");
    }

    /** The file may be of a newer program, so an empty directory tells what this program knows. */
    @Test
    void told_ofAnEmptyDirectory_hasTheNewestLevelOfThisProgram_andLaterTheLevelOfTheCell() throws Exception {
        try (DataDirectory directory = open(DEV)) {
            assertThat(directory.told().level())
                    .isEqualTo(directory.foundingLevel())
                    .isEqualTo(EntryCodec.FEATURE_LEVEL_MAX);

            SortedMap<String, UUID> both = new TreeMap<>(Map.of("r1", UUID.randomUUID(), "r2", UUID.randomUUID()));
            directory.founded(directory.identity().foundedWith("r1", both, 3));

            assertThat(directory.told().level())
                    .isEqualTo(directory.foundingLevel())
                    .isEqualTo(3);
        }
    }

    @Test
    void checkBelongsTo_anotherReplica_isRefused() throws Exception {
        Membership.Member r1 = new Membership.Member("r1", "127.0.0.1:1", URI.create("http://127.0.0.1:2"));
        Membership.Member r2 = new Membership.Member("r2", "127.0.0.1:3", URI.create("http://127.0.0.1:4"));
        try (DataDirectory directory = open(DEV)) {
            SortedMap<String, UUID> both = new TreeMap<>(Map.of("r1", UUID.randomUUID(), "r2", UUID.randomUUID()));
            directory.founded(directory.identity().foundedWith("r1", both, 1));
            directory.checkBelongsTo(new Membership("r1", List.of(r1, r2)));

            StartRefusedException refused = catchThrowableOfType(
                    StartRefusedException.class, () -> directory.checkBelongsTo(new Membership("r2", List.of(r1, r2))));

            assertThat(refused.why()).isEqualTo(Why.OTHER_REPLICA);
            assertThat(refused).hasMessageContaining("is of replica r1 of [r1, r2], not of replica r2");
        }
    }

    @Test
    void open_withIdentityThatIsNone_isRefused() throws IOException {
        Files.writeString(parent.resolve("identity"), "something else\n");
        assertThat(refused(DEV).why()).isEqualTo(Why.DAMAGED);
    }

    /** Without the word, the log would be begun again. */
    @ParameterizedTest
    @ValueSource(ints = {1, 0x80})
    void open_withIdentityWhoseWordForTheLogIsFlipped_isRefused(int bit) throws Exception {
        try (DataDirectory directory = open(DEV)) {
            directory.markLogBegun();
        }
        Path identity = parent.resolve("identity");
        byte[] bytes = Files.readAllBytes(identity);
        bytes[Files.readString(identity).indexOf("log=true")] ^= (byte) bit;
        Files.write(identity, bytes);

        StartRefusedException refused = refused(DEV);

        assertThat(refused.why()).isEqualTo(Why.DAMAGED);
        assertThat(refused).hasMessageContaining("does not say whose it is");
        assertThat(refused.hint()).contains("put the file identity back");
    }

    /** It would restart the log without its content, and use its versions twice. */
    @Test
    void open_withoutIdentityBesideOldFiles_isRefused() throws Exception {
        open(DEV).close();
        Files.createDirectory(parent.resolve("log"));
        Files.delete(parent.resolve("identity"));

        StartRefusedException refused = refused(DEV);

        assertThat(refused.why()).isEqualTo(Why.DAMAGED);
        assertThat(refused).hasMessageContaining("has log and no file identity");
        assertThat(refused.hint()).contains("put the file identity back");
        assertThat(parent.resolve("identity")).doesNotExist();
    }

    /** As where the wrong folder was named. */
    @Test
    void open_besideManyFilesOfOthers_namesAFew() throws Exception {
        for (int file = 0; file < 9; file++) {
            Files.createFile(parent.resolve("file" + file));
        }

        assertThat(refused(DEV))
                .hasMessageContaining("has file0, file1, file2, file3, file4 and 4 more and no file identity");
    }

    @Test
    void open_newBesideFilesOfAnother_isNew() throws Exception {
        Files.createDirectory(parent.resolve("lost+found"));
        Files.writeString(parent.resolve("dev.log"), "");
        assertThat(refused(DEV).why()).isEqualTo(Why.DAMAGED);

        DataDirectory.open(parent, DEV, 0, UUID.randomUUID(), Set.of("dev.log")).close();

        assertThat(parent.resolve("identity")).exists();
    }

    @Test
    void open_whereAFileIs_isNotWritable() throws IOException {
        Path file = Files.createFile(parent.resolve("file"));
        StartRefusedException refused = catchThrowableOfType(
                StartRefusedException.class, () -> DataDirectory.open(file, DEV, 0, UUID.randomUUID()));
        assertThat(refused.why()).isEqualTo(Why.NOT_WRITABLE);
        assertThat(refused).hasMessage("cannot write to the data directory %s: %s is a file", file, file);
    }

    @Test
    void open_withLittleDiskFree_isRefusedAndMakesNothing() throws Exception {
        StartRefusedException refused = catchThrowableOfType(
                StartRefusedException.class, () -> DataDirectory.open(parent, DEV, Long.MAX_VALUE, UUID.randomUUID()));
        assertThat(refused.why()).isEqualTo(Why.DISK_LOW);
        assertThat(parent.resolve("identity")).doesNotExist();
    }

    private DataDirectory open(CellName cell) throws StartRefusedException {
        return DataDirectory.open(parent, cell, 0, UUID.randomUUID());
    }

    private StartRefusedException refused(CellName cell) {
        return catchThrowableOfType(StartRefusedException.class, () -> open(cell));
    }
}
