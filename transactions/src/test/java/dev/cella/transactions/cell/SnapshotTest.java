package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.cell.tables.SnapshotFormat;
import dev.cella.transactions.codec.DamagedBytesException;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.Rights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Snapshots as they were written once, with their digests. Each line of a format's file is one snapshot: its pages in hex and
 * then the digest of its outcomes. The seven cells of format 4 contain one of everything that a cell can have. The two of
 * format 5 have jobs from before feature level 3 and jobs that keep the version of their last update. Those of format 7 have
 * queues, those of format 8 jobs that were stopped with a grace, those of format 9 spare tasks, those of format 10 groups
 * that a scheduler has scaled beside what a person asked for, and those of format 11 copies of tasks. They stay readable, so no
 * line ever changes. Another format gets its own file ({@code -Dcella.golden.write=true} writes the newest).
 */
class SnapshotTest {
    private static final Path FOLDER = Path.of("src/test/resources/dev/cella/transactions/golden");
    private static final Path FORMAT_4 = FOLDER.resolve("snapshots-4.txt");
    private static final Path FORMAT_5 = FOLDER.resolve("snapshots-5.txt");
    private static final Path FORMAT_6 = FOLDER.resolve("snapshots-6.txt");
    private static final Path FORMAT_7 = FOLDER.resolve("snapshots-7.txt");
    private static final Path FORMAT_8 = FOLDER.resolve("snapshots-8.txt");
    private static final Path FORMAT_9 = FOLDER.resolve("snapshots-9.txt");
    private static final Path FORMAT_10 = FOLDER.resolve("snapshots-10.txt");
    private static final Path FORMAT_11 = FOLDER.resolve("snapshots-11.txt");
    private static final CellLimits LIMITS = new CellLimits(40, 400, 3, 60);
    private static final int CELLS_OF_FORMAT_4 = 7;
    private static final int CELLS_OF_FORMAT_5 = 2;
    private static final int CELLS_OF_FORMAT_6 = 2;
    private static final int CELLS_OF_FORMAT_7 = 2;
    private static final int CELLS_OF_FORMAT_8 = 2;
    private static final int CELLS_OF_FORMAT_9 = 2;
    private static final int CELLS_OF_FORMAT_10 = 2;
    private static final int CELLS_OF_FORMAT_11 = 2;
    private static final int FIRST_SEED = 1_000;
    private static final int COMMANDS = 150;
    private static final int FLIP_EVERY = Integer.getInteger("cella.snapshot.flips", 1);

    /** A snapshot has no digest for these: the pages have checksums in their store. */
    private static final Set<Integer> OF_OUTCOMES = Set.of(SnapshotFormat.HORIZON, SnapshotFormat.OUTCOMES);

    private record Golden(List<byte[]> pages, long outcomesDigest) {}

    @BeforeAll
    static void write() throws IOException {
        if (Boolean.getBoolean("cella.golden.write")) {
            List<String> lines = new ArrayList<>();
            for (int seed = FIRST_SEED; lines.size() < CELLS_OF_FORMAT_11 && seed < 2 * FIRST_SEED; seed++) {
                Cell cell = played(seed);
                if (hasAllOfFormat11(cell.view())) {
                    lines.add(line(cell));
                }
            }
            Files.write(FORMAT_11, lines);
        }
    }

    private static String line(Cell cell) {
        List<String> words = new ArrayList<>();
        cell.snapshot().forEach(page -> words.add(HexFormat.of().formatHex(page)));
        words.add(Long.toHexString(cell.outcomesDigest()));
        return String.join(" ", words);
    }

    /** Offers, and a pool that is defined. */
    private static boolean hasAllOfFormat6(CellView view) {
        return !view.offers().isEmpty() && view.pools().stream().anyMatch(PoolRow::isDefined);
    }

    /** Queues on two machines. */
    private static boolean hasAllOfFormat7(CellView view) {
        return IntStream.range(0, view.machineSlots())
                        .filter(slot -> view.queuedOn(slot) > 0)
                        .count()
                > 1;
    }

    /** A stopped job whose tasks have their own time to end. */
    private static boolean hasAllOfFormat8(CellView view) {
        return view.featureLevel() >= EntryCodec.STOP_GRACE_LEVEL
                && view.jobs().stream().anyMatch(job -> job.stopGraceMillis().isPresent());
    }

    /** Spare tasks, and a bound of them. */
    private static boolean hasAllOfFormat9(CellView view) {
        return view.featureLevel() >= EntryCodec.SPARE_LEVEL
                && view.spareTasks() > 1
                && view.tables().policies.allRights().values().stream().anyMatch(Rights::isOfLevel7);
    }

    /** A group that a scheduler has scaled since a person asked for another number of tasks. */
    private static boolean hasAllOfFormat10(CellView view) {
        return view.featureLevel() >= EntryCodec.ASKED_COUNT_LEVEL
                && view.jobs().stream()
                        .flatMap(job -> job.groups().stream())
                        .anyMatch(group -> group.askedCount() != group.header().count());
    }

    /** A copy that goes on, of a task that goes on. */
    private static boolean hasAllOfFormat11(CellView view) {
        return view.jobs().stream()
                .filter(job -> !job.isStopped())
                .flatMap(job -> job.groups().stream())
                .anyMatch(group -> group.isOfCopies() && group.onMachines() + group.pending() > 0);
    }

    private static Cell played(int seed) {
        Cell cell = new Cell(LIMITS);
        History history = new History(seed, cell);
        for (int at = 1; at <= COMMANDS; at++) {
            cell.apply(new EntryHeader(1, new CellTime(at), at, Incarnation.UNSAID), history.next());
        }
        return cell;
    }

    private static List<Golden> golden() throws IOException {
        List<Golden> all = new ArrayList<>();
        List<String> lines = new ArrayList<>(Files.readAllLines(FORMAT_4));
        lines.addAll(Files.readAllLines(FORMAT_5));
        lines.addAll(Files.readAllLines(FORMAT_6));
        lines.addAll(Files.readAllLines(FORMAT_7));
        lines.addAll(Files.readAllLines(FORMAT_8));
        lines.addAll(Files.readAllLines(FORMAT_9));
        lines.addAll(Files.readAllLines(FORMAT_10));
        lines.addAll(Files.readAllLines(FORMAT_11));
        for (String line : lines) {
            List<String> words = List.of(line.split(" "));
            List<byte[]> pages = new ArrayList<>();
            words.subList(0, words.size() - 1)
                    .forEach(page -> pages.add(HexFormat.of().parseHex(page)));
            all.add(new Golden(pages, Long.parseUnsignedLong(words.get(words.size() - 1), 16)));
        }
        return all;
    }

    private static Cell load(List<byte[]> pages) {
        Cell loaded = new Cell(LIMITS);
        loaded.load(pages);
        return loaded;
    }

    /** This also shows that the digests are the same: a snapshot loads only if its digests match. */
    @Test
    void snapshot_writtenOnce_isLoadedAndWrittenTheSameAgain() throws IOException {
        assertThat(golden())
                .hasSize(CELLS_OF_FORMAT_4
                        + CELLS_OF_FORMAT_5
                        + CELLS_OF_FORMAT_6
                        + CELLS_OF_FORMAT_7
                        + CELLS_OF_FORMAT_8
                        + CELLS_OF_FORMAT_9
                        + CELLS_OF_FORMAT_10
                        + CELLS_OF_FORMAT_11)
                .allSatisfy(golden -> {
                    Cell loaded = load(golden.pages);
                    assertThat(loaded.snapshot().toArray(byte[][]::new))
                            .isDeepEqualTo(golden.pages.toArray(byte[][]::new));
                    assertThat(loaded.outcomesDigest()).isEqualTo(golden.outcomesDigest);
                });
    }

    @Test
    void snapshot_oneBitChanged_isRefusedOrShowsTheSame() throws IOException {
        for (Golden golden : golden()) {
            List<List<Object>> shown = shown(load(golden.pages));
            for (int page = 0; page < golden.pages.size(); page++) {
                for (int at = page; at < golden.pages.get(page).length; at += FLIP_EVERY) {
                    List<byte[]> flipped = flipped(golden.pages, page, at);
                    if (!OF_OUTCOMES.contains((int) golden.pages.get(page)[0]) && isLoaded(flipped)) {
                        assertThat(shown(load(flipped)))
                                .as("page %s, byte %s", page, at)
                                .isEqualTo(shown);
                    }
                }
            }
        }
    }

    @Test
    void snapshot_ofFormat5_hasJobsOfBeforeTheLevelAndOfAfter() throws IOException {
        List<Golden> golden = golden();
        assertThat(golden.subList(CELLS_OF_FORMAT_4, CELLS_OF_FORMAT_4 + CELLS_OF_FORMAT_5))
                .allSatisfy(each -> {
                    List<Long> updated = load(each.pages).view().jobs().stream()
                            .map(JobRow::updatedVersion)
                            .toList();
                    assertThat(updated).contains(0L).anyMatch(version -> version > 0);
                });
    }

    @Test
    void snapshot_ofFormat6_hasOffersAndPools() throws IOException {
        List<Golden> golden = golden();
        int first = CELLS_OF_FORMAT_4 + CELLS_OF_FORMAT_5;
        assertThat(golden.subList(first, first + CELLS_OF_FORMAT_6))
                .allMatch(each -> hasAllOfFormat6(load(each.pages).view()));
    }

    @Test
    void snapshot_ofFormat7_hasQueues() throws IOException {
        List<Golden> golden = golden();
        int last = golden.size() - CELLS_OF_FORMAT_11 - CELLS_OF_FORMAT_10 - CELLS_OF_FORMAT_9 - CELLS_OF_FORMAT_8;
        assertThat(golden.subList(last - CELLS_OF_FORMAT_7, last))
                .allMatch(each -> hasAllOfFormat7(load(each.pages).view()));
    }

    @Test
    void snapshot_ofFormat8_hasAJobWithItsOwnTimeToEnd() throws IOException {
        List<Golden> golden = golden();
        int last = golden.size() - CELLS_OF_FORMAT_11 - CELLS_OF_FORMAT_10 - CELLS_OF_FORMAT_9;
        assertThat(golden.subList(last - CELLS_OF_FORMAT_8, last))
                .allMatch(each -> hasAllOfFormat8(load(each.pages).view()));
    }

    @Test
    void snapshot_ofFormat9_hasSpareTasksAndABoundOfThem() throws IOException {
        List<Golden> golden = golden();
        int last = golden.size() - CELLS_OF_FORMAT_11 - CELLS_OF_FORMAT_10;
        assertThat(golden.subList(last - CELLS_OF_FORMAT_9, last))
                .allMatch(each -> hasAllOfFormat9(load(each.pages).view()));
    }

    @Test
    void snapshot_ofFormat10_hasAGroupThatASchedulerScaled() throws IOException {
        List<Golden> golden = golden();
        int last = golden.size() - CELLS_OF_FORMAT_11;
        assertThat(golden.subList(last - CELLS_OF_FORMAT_10, last))
                .allMatch(each -> hasAllOfFormat10(load(each.pages).view()));
    }

    @Test
    void snapshot_ofFormat11_hasCopiesOfTasks() throws IOException {
        List<Golden> golden = golden();
        assertThat(golden.subList(golden.size() - CELLS_OF_FORMAT_11, golden.size()))
                .allMatch(each -> hasAllOfFormat11(load(each.pages).view()));
    }

    private static List<byte[]> flipped(List<byte[]> pages, int page, int at) {
        return with(pages, page, at, pages.get(page)[at] ^ 1 << at % Byte.SIZE);
    }

    private static List<byte[]> with(List<byte[]> pages, int page, int at, int value) {
        List<byte[]> others = new ArrayList<>(pages);
        byte[] bytes = pages.get(page).clone();
        bytes[at] = (byte) value;
        others.set(page, bytes);
        return others;
    }

    private static boolean isLoaded(List<byte[]> pages) {
        try {
            load(pages);
            return true;
        } catch (RuntimeException refused) {
            return false;
        }
    }

    /** Once a job's tasks are forgotten, nothing shows how it ended. */
    private static List<List<Object>> shown(Cell cell) {
        List<List<Object>> rows = new ArrayList<>();
        for (List<Object> row : CellRows.of(cell)) {
            List<Object> shown = new ArrayList<>(row);
            shown.replaceAll(value -> value instanceof JobState state && state.isEnded() ? JobState.FINISHED : value);
            rows.add(shown);
        }
        return rows;
    }

    @Test
    void snapshot_withoutOneOfItsPages_isRefused() throws IOException {
        for (Golden golden : golden()) {
            for (int page = 0; page < golden.pages.size(); page++) {
                List<byte[]> rest = new ArrayList<>(golden.pages);
                byte[] left = rest.remove(page);
                boolean isNeeded = left.length > 2 && !OF_OUTCOMES.contains((int) left[0]);
                assertThat(isLoaded(rest)).as("without page %s", page).isEqualTo(!isNeeded);
            }
        }
    }

    /** A row then has an unknown state, reason, group or machine. */
    @Test
    void snapshot_oneByteTooLarge_isNotReadOutOfBounds() throws IOException {
        Golden golden = golden().get(0);
        for (int page = 0; page < golden.pages.size(); page++) {
            for (int at = 0; at < golden.pages.get(page).length; at++) {
                assertThat(isReadOutOfBounds(with(golden.pages, page, at, Byte.MAX_VALUE)))
                        .as("page %s, byte %s", page, at)
                        .isFalse();
            }
        }
    }

    private static boolean isReadOutOfBounds(List<byte[]> pages) {
        try {
            load(pages);
            return false;
        } catch (IndexOutOfBoundsException outOfBounds) {
            return true;
        } catch (RuntimeException refused) {
            return false;
        }
    }

    @Test
    void snapshot_thatEndsBeforeItsDigests_isRefused() throws IOException {
        List<byte[]> pages = golden().get(0).pages;
        int digests = 0;
        while (pages.get(digests)[0] != SnapshotFormat.DIGESTS) {
            digests++;
        }
        List<byte[]> torn = pages.subList(0, digests);
        assertThatThrownBy(() -> load(torn)).isInstanceOf(DamagedBytesException.class);
    }
}
