package dev.cella.state.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.state.core.Checkpoint;
import dev.cella.state.core.CheckpointHead;
import dev.cella.state.core.ColdChanges;
import dev.cella.state.core.ColdKey;
import dev.cella.state.core.DamagedCheckpointException;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.EntryOutcomes;
import dev.cella.state.core.HotPages;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.SealedCell;
import dev.cella.state.core.StoreUnavailableException;
import dev.cella.transactions.cell.copies.CellCopy;
import dev.cella.transactions.codec.OutcomeCodec;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TransactionId;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksCellStoreTest {
    private static final CellName CELL = new CellName("dev");

    @TempDir
    private Path path;

    private DataDirectory directory;
    private final List<Checkpoint> loaded = new ArrayList<>();

    @BeforeEach
    void open() throws Exception {
        directory = DataDirectory.open(path, CELL, 0, UUID.randomUUID());
    }

    @AfterEach
    void close() throws IOException {
        directory.close();
    }

    @Test
    void restore_nothing_isNothing() throws IOException {
        try (RocksCellStore store = new RocksCellStore(directory)) {
            assertThat(store.restore(loaded::add)).isEmpty();
            assertThat(store.cold(key(1))).isEmpty();
            assertThat(store.olderCheckpoint()).isEqualTo(LogPosition.START);
        }
    }

    /** Otherwise a checkpoint that arrives while a replica stops would leave the database open. */
    @Test
    void restore_afterClose_isRefused() throws IOException {
        RocksCellStore store = new RocksCellStore(directory);
        store.close();
        assertThatThrownBy(() -> store.restore(loaded::add)).hasMessage("the store is closed");
    }

    /** A kill may come between the two steps by which another replica's checkpoint takes the place of these. */
    @Test
    void restore_checkpointsThatWereMovedAwayForOthersThatDidNotCome_areBroughtBack() throws IOException {
        writeCheckpoints(10, 20);
        Files.move(
                directory.checkpoints(), directory.checkpoints().resolveSibling("checkpoints.tmp20261130-080000_000"));
        try (RocksCellStore store = new RocksCellStore(directory)) {
            assertThat(store.restore(loaded::add).orElseThrow().position().index())
                    .isEqualTo(20);
            assertThat(directory.replacedCheckpoints()).isEmpty();
        }
    }

    /** No row would say that it is missing. */
    @Test
    void cold_afterClose_isRefused() throws IOException {
        RocksCellStore store = new RocksCellStore(directory);
        assertThat(store.restore(loaded::add)).isEmpty();
        store.close();
        assertThatThrownBy(() -> store.cold(key(1))).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void restore_afterWrite_givesHeadTablesAndColdRows() throws IOException {
        writeCheckpoints(10);
        try (RocksCellStore store = new RocksCellStore(directory)) {
            assertThat(store.restore(loaded::add)).contains(head(10));
            assertThat(loaded.get(0).hot()).containsExactly(bytes("hot"), bytes("10"));
            assertThat(store.cold(key(10))).contains(bytes("row 10"));
        }
    }

    @Test
    void write_several_keepsTwoAndLetsTheLogGoUpToTheOlder() throws IOException {
        try (RocksCellStore store = new RocksCellStore(directory)) {
            store.restore(loaded::add);
            for (long index : new long[] {10, 20, 30}) {
                store.write(sealed(index), put(index));
            }
            assertThat(store.olderCheckpoint()).isEqualTo(head(20).position());
        }
        assertThat(checkpointNames()).hasSize(2);
    }

    @Test
    void restore_whatWasWrittenAfterTheCheckpoint_isNotThere() throws IOException {
        writeCheckpoints(10, 20);
        tear(hotFile(20), 20);
        try (RocksCellStore store = new RocksCellStore(directory)) {
            assertThat(store.restore(loaded::add)).contains(head(10));
            assertThat(store.cold(key(10))).isPresent();
            assertThat(store.cold(key(20))).isEmpty();
        }
    }

    @Test
    void restore_anyFileTorn_takesTheOlder() throws IOException {
        for (String file : List.of(hotFile(20), "manifest", "cold/CURRENT")) {
            writeCheckpoints(10, 20);
            tear(file, 20);
            try (RocksCellStore store = new RocksCellStore(directory)) {
                assertThat(store.restore(loaded::add)).as("torn %s", file).contains(head(10));
            }
            DurableFiles.removeTree(directory.checkpoints());
        }
    }

    @Test
    void restore_fileThatCannotBeOpened_putsNothingAside() throws IOException {
        writeCheckpoints(10, 20);
        Path manifest = folder(20).resolve("manifest");
        Path socket = path.resolve("socket");
        Files.delete(manifest);
        Files.createSymbolicLink(manifest, socket);
        try (ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                RocksCellStore store = new RocksCellStore(directory)) {
            listening.bind(UnixDomainSocketAddress.of(socket));
            assertThatThrownBy(() -> store.restore(loaded::add)).isInstanceOf(FileSystemException.class);
            assertThat(checkpointNames()).hasSize(2);
        }
    }

    @Test
    void restore_tableMissing_takesTheOlder() throws IOException {
        writeCheckpoints(10, 20);
        Files.delete(tables(20).get(0));
        try (RocksCellStore store = new RocksCellStore(directory)) {
            assertThat(store.restore(loaded::add)).contains(head(10));
        }
    }

    @Test
    void restore_refusedByTheLoader_takesTheOlder() throws IOException {
        writeCheckpoints(10, 20);
        try (RocksCellStore store = new RocksCellStore(directory)) {
            Optional<CheckpointHead> restored = store.restore(checkpoint -> {
                if (checkpoint.head().position().index() == 20) {
                    throw new DamagedCheckpointException("another digest");
                }
            });
            assertThat(restored).contains(head(10));
        }
    }

    @Test
    void restore_allTorn_isNothing() throws IOException {
        writeCheckpoints(10, 20);
        tear(hotFile(10), 10);
        tear(hotFile(20), 20);
        try (RocksCellStore store = new RocksCellStore(directory)) {
            assertThat(store.restore(loaded::add)).isEmpty();
            assertThat(store.cold(key(10))).isEmpty();
        }
    }

    @Test
    void restore_unfinishedCheckpoint_isNoCheckpoint() throws IOException {
        writeCheckpoints(10);
        Files.createDirectories(directory.checkpoints().resolve("unfinished/cold"));
        try (RocksCellStore store = new RocksCellStore(directory)) {
            assertThat(store.restore(loaded::add)).contains(head(10));
            store.write(sealed(20), put(20));
            assertThat(checkpointNames()).hasSize(2);
        }
    }

    @Test
    void write_after_writesThePagesThatChangedAlone_andAStartPutsThemTogether() throws IOException {
        String large = "x".repeat(10_000);
        try (RocksCellStore store = new RocksCellStore(directory)) {
            store.restore(loaded::add);
            assertThat(store.write(sealed(10, Map.of(1L, large, 2L, "a", 3L, "gone")), put(10)))
                    .isGreaterThan(10_000);
            assertThat(store.write(sealed(20, Map.of(1L, large, 2L, "b")), put(20)))
                    .isLessThan(100);
            assertThat(store.write(sealed(30, Map.of(1L, large, 2L, "b", 4L, "new")), put(30)))
                    .isLessThan(100);
            assertThat(store.newestFiles())
                    .contains(folder(30).resolve(hotFile(10)), folder(30).resolve(hotFile(30)));
        }
        try (RocksCellStore store = new RocksCellStore(directory)) {
            assertThat(store.restore(loaded::add)).contains(head(30));
        }
        assertThat(loaded.get(0).hot()).containsExactly(bytes(large), bytes("b"), bytes("new"));
    }

    @Test
    void restore_lastOfAChainTorn_takesTheOneBefore() throws IOException {
        try (RocksCellStore store = new RocksCellStore(directory)) {
            store.restore(loaded::add);
            for (long index : new long[] {10, 20, 30}) {
                store.write(sealed(index, Map.of(1L, "x".repeat(10_000), 2L, "at " + index)), put(index));
            }
        }
        tear(hotFile(30), 30);
        try (RocksCellStore store = new RocksCellStore(directory)) {
            assertThat(store.restore(loaded::add)).contains(head(20));
            assertThat(loaded.get(0).hot()).endsWith(bytes("at 20"));
            assertThat(store.write(sealed(40), put(40)))
                    .as("whole: what another process wrote is not built upon")
                    .isPositive();
            assertThat(store.newestFiles()).doesNotContain(folder(40).resolve(hotFile(20)));
        }
    }

    @Test
    void write_asMuchChangedAsThereIs_beginsAgain_soThatAStartReadsNoMoreThanTwiceThat() throws IOException {
        try (RocksCellStore store = new RocksCellStore(directory)) {
            store.restore(loaded::add);
            for (long index = 10; index <= 200; index += 10) {
                store.write(sealed(index, Map.of(1L, "x".repeat(10_000), 2L, index + "y".repeat(3_000))), put(index));
                long hotBytes = 0;
                for (Path file : store.newestFiles()) {
                    hotBytes += file.getFileName().toString().startsWith("hot-") ? Files.size(file) : 0;
                }
                assertThat(hotBytes).as("at %d", index).isLessThan(2 * 13_000 + 3_100);
            }
        }
    }

    @Test
    void write_dropOfARow_removesIt() throws IOException {
        writeCheckpoints(10);
        try (RocksCellStore store = new RocksCellStore(directory)) {
            store.restore(loaded::add);
            ColdChanges dropped = new ColdChanges();
            dropped.drop(new JobId(10), 1);
            store.write(sealed(20), dropped);
            assertThat(store.cold(key(10))).isEmpty();
        }
    }

    @Test
    void write_dropOfAJobWithSeveralGenerations_removesThem_andNoneOfItsNeighbours() throws IOException {
        List<ColdKey> neighbours = List.of(key(9), key(11));
        ColdChanges changes = new ColdChanges();
        neighbours.forEach(neighbour -> changes.put(neighbour, bytes("kept")));
        for (int generation = 300; generation <= 302; generation++) {
            changes.put(ColdKey.specification(new JobId(10), generation), bytes("generation " + generation));
        }
        try (RocksCellStore store = new RocksCellStore(directory)) {
            store.restore(loaded::add);
            store.write(sealed(10), changes);
            ColdChanges dropped = new ColdChanges();
            dropped.drop(new JobId(10), 302);
            store.write(sealed(20), dropped);
        }
        try (RocksCellStore store = new RocksCellStore(directory)) {
            assertThat(store.restore(loaded::add)).contains(head(20));
            for (int generation = 300; generation <= 302; generation++) {
                assertThat(store.cold(ColdKey.specification(new JobId(10), generation)))
                        .as("generation %d", generation)
                        .isEmpty();
            }
            assertThat(neighbours)
                    .allSatisfy(neighbour -> assertThat(store.cold(neighbour)).contains(bytes("kept")));
        }
    }

    @Test
    void write_severalBatchesOfRows_keepsAllOfThem_andDropsTheOthers() throws IOException {
        int rows = 20_000;
        ColdChanges changes = new ColdChanges();
        for (int row = 1; row <= rows; row++) {
            changes.put(key(row), bytes("row " + row + "x".repeat(row % 300)));
        }
        try (RocksCellStore store = new RocksCellStore(directory)) {
            store.restore(loaded::add);
            store.write(sealed(10), changes);
            ColdChanges dropped = new ColdChanges();
            for (int row = 2; row <= rows; row += 2) {
                dropped.drop(new JobId(row), 1);
            }
            store.write(sealed(20), dropped);
        }
        try (RocksCellStore store = new RocksCellStore(directory)) {
            assertThat(store.restore(loaded::add)).contains(head(20));
            for (int row = 1; row <= rows; row++) {
                if (row % 2 == 0) {
                    assertThat(store.cold(key(row))).as("row %d", row).isEmpty();
                } else {
                    assertThat(store.cold(key(row))).contains(bytes("row " + row + "x".repeat(row % 300)));
                }
            }
        }
    }

    @Test
    void cold_outcomeAmongThoseOfItsEntry_isFound_alsoAfterAStart() throws IOException {
        try (RocksCellStore store = new RocksCellStore(directory)) {
            store.restore(loaded::add);
            store.write(sealed(10), outcomes(3, 4, 9));
            store.write(sealed(20), outcomes(12, 20));
            assertOutcomes(store);
        }
        try (RocksCellStore store = new RocksCellStore(directory)) {
            assertThat(store.restore(loaded::add)).contains(head(20));
            assertOutcomes(store);
        }
    }

    private static void assertOutcomes(RocksCellStore store) {
        for (long version : new long[] {3, 4, 9, 12, 20}) {
            assertThat(store.cold(outcomeKey(version))).contains(OutcomeCodec.encode(outcome(version)));
        }
        for (long version : new long[] {1, 5, 10, 21}) {
            assertThat(store.cold(outcomeKey(version)))
                    .as("version %d is of no transaction", version)
                    .isEmpty();
        }
    }

    @Test
    void write_outcomesForgottenAsTheyCome_keepsThoseThatAreNot_andTakesOldFilesAway() throws IOException {
        try (RocksCellStore store = new RocksCellStore(directory)) {
            store.restore(loaded::add);
            store.write(sealed(10), outcomes(9, 10));
            for (long index = 20; index <= 500; index += 10) {
                ColdChanges changes = outcomes(index - 1, index);
                changes.forget(new long[] {index - 11, index - 10});
                store.write(sealed(index), changes);
                assertThat(store.cold(outcomeKey(index - 1))).isPresent();
            }
            assertThat(store.cold(outcomeKey(10)))
                    .as("in the first of more files than RocksDB lets gather")
                    .isEmpty();
        }
    }

    private void writeCheckpoints(long... indexes) throws IOException {
        try (RocksCellStore store = new RocksCellStore(directory)) {
            store.restore(loaded::add);
            loaded.clear();
            for (long index : indexes) {
                store.write(sealed(index), put(index));
            }
        }
    }

    private void tear(String file, long index) throws IOException {
        Path torn = folder(index).resolve(file);
        byte[] whole = Files.readAllBytes(torn);
        Files.write(torn, Arrays.copyOf(whole, whole.length - 1));
    }

    private List<Path> tables(long index) throws IOException {
        try (Stream<Path> files = Files.list(folder(index).resolve("cold"))) {
            return files.filter(file -> file.toString().endsWith(".sst"))
                    .sorted()
                    .toList();
        }
    }

    private static String hotFile(long index) {
        return "hot-%019d".formatted(index);
    }

    private Path folder(long index) {
        return directory.checkpoints().resolve("checkpoint-%019d".formatted(index));
    }

    private List<String> checkpointNames() throws IOException {
        try (Stream<Path> files = Files.list(directory.checkpoints())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("checkpoint-"))
                    .toList();
        }
    }

    private static ColdKey key(long job) {
        return ColdKey.specification(new JobId(job), 1);
    }

    private static ColdKey outcomeKey(long version) {
        return ColdKey.outcome(new CellVersion(version));
    }

    /** The outcomes of one entry. */
    private static ColdChanges outcomes(long... versions) {
        ColdChanges changes = new ColdChanges();
        changes.keep(EntryOutcomes.of(Arrays.stream(versions)
                .mapToObj(version -> (CommandResult) new CommandResult.Decided(outcome(version)))
                .toList()));
        return changes;
    }

    private static Outcome outcome(long version) {
        return Outcome.refused(new TransactionId("t-" + version), new CellVersion(version), Reason.NOT_ALLOWED);
    }

    private static ColdChanges put(long index) {
        ColdChanges changes = new ColdChanges();
        changes.put(key(index), bytes("row " + index));
        return changes;
    }

    private static SealedCell sealed(long index) {
        return sealed(index, Map.of(1L, "hot", 2L, Long.toString(index)));
    }

    private static SealedCell sealed(long index, Map<Long, String> pages) {
        return new SealedCell(head(index), new MadeUpPages(pages));
    }

    private record MadeUpPages(Map<Long, String> pages) implements HotPages {
        @Override
        public void forEach(CellCopy.Pages told) {
            pages.forEach((key, page) -> told.page(key, bytes(page)));
        }

        @Override
        public void forEachSince(HotPages earlier, CellCopy.Pages told) {
            Map<Long, String> before = ((MadeUpPages) earlier).pages;
            pages.forEach((key, page) -> {
                if (!page.equals(before.get(key))) {
                    told.page(key, bytes(page));
                }
            });
            before.keySet().stream().filter(key -> !pages.containsKey(key)).forEach(told::gone);
        }
    }

    private static CheckpointHead head(long index) {
        return new CheckpointHead(
                CELL,
                new Incarnation(-7),
                new LogPosition(3, index),
                new CellVersion(index * 10),
                new CellTime(index * 100),
                1,
                -index);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
