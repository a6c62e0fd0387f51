package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.cell.copies.CellCopy;
import dev.cella.transactions.cell.pages.WordPages;
import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.MachinePages;
import dev.cella.transactions.codec.DamagedBytesException;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Specification;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CellCopyTest {
    private static final CellLimits LIMITS = new CellLimits(2_000, 1_000_000, 3);
    private static final int COMMANDS_BEFORE = 2_000;
    private static final int COMMANDS_AFTER = Integer.getInteger("cella.copy.commands", 100_000);

    private final Cell cell = new Cell(LIMITS);
    private final History history = new History(2, cell);
    private long cellTimeMillis;

    private void apply(int commands) {
        for (int at = 0; at < commands; at++) {
            cellTimeMillis++;
            apply(history.next());
        }
        cell.takeChanges();
        cell.takeForgottenOutcomes();
    }

    private void apply(Command command) {
        cell.apply(new EntryHeader(1, new CellTime(cellTimeMillis), cellTimeMillis, Incarnation.UNSAID), command);
    }

    // ---- a copy stays as it is

    @Test
    void copy_readWhileItsCellGoesOn_isTheCellOfItsMoment() {
        apply(COMMANDS_BEFORE);
        CellCopy copy = cell.copy();
        CellDigests digests = cell.view().digests();
        long outcomesDigest = cell.outcomesDigest();
        AtomicBoolean goesOn = new AtomicBoolean(true);
        CompletableFuture<List<Cell>> readers = CompletableFuture.supplyAsync(() -> {
            List<Cell> loaded = new ArrayList<>();
            do {
                loaded.add(load(copy.snapshot()));
            } while (goesOn.get() && loaded.size() < 5);
            return loaded;
        });
        apply(COMMANDS_AFTER);
        goesOn.set(false);
        List<Cell> loaded = readers.join();
        loaded.add(load(copy.snapshot()));
        assertThat(loaded).allSatisfy(each -> {
            assertThat(each.view().digests()).isEqualTo(digests);
            assertThat(each.outcomesDigest()).isEqualTo(outcomesDigest);
        });
        assertThat(cell.view().digests()).isNotEqualTo(digests);
    }

    /**
     * Compares more than the digests show: the last claimant of a machine, for example, is the winner in later refusals.
     */
    @Test
    void snapshot_loaded_isWrittenTheSameAgain() {
        for (int round = 0; round < 40; round++) {
            apply(50);
            List<byte[]> snapshot = cell.snapshot();
            assertThat(pagesWithRows(load(snapshot).snapshot())).isDeepEqualTo(pagesWithRows(snapshot));
        }
    }

    /** A loaded cell does not have the last pages of a table that has become shorter. */
    private static byte[][] pagesWithRows(List<byte[]> snapshot) {
        return snapshot.stream()
                .filter(page -> page.length != 2 || page[1] != 0)
                .toArray(byte[][]::new);
    }

    /** Copies share pages of jobs. After the level was raised the pages differ, though no job has changed. */
    @Test
    void copy_afterTheLevelWasRaised_hasItsJobsInTheFormatOfTheLevel() {
        apply(new Command.FoundCell(new CellName("raised"), new Incarnation(1)));
        apply(new Command.SubmitJob(
                TestCell.header("j", "batch", 1, 100, 100), Specification.EMPTY, Command.SubmitMode.CREATE));
        assertThat(load(cell.snapshot()).view().digests()).isEqualTo(cell.view().digests());

        apply(new Command.RaiseFeatureLevel(EntryCodec.UPDATED_VERSION_LEVEL));

        assertThat(load(cell.snapshot()).view().digests()).isEqualTo(cell.view().digests());
    }

    /** More than twice as many dimensions as a new cell knows, and the cell learns all of them at once. */
    @Test
    void snapshot_ofManyDimensions_loadsAllAmounts() {
        apply(new Command.FoundCell(new CellName("wide"), new Incarnation(1)));
        long[] capacity = LongStream.rangeClosed(1, Dimensions.SIZE_MAX).toArray();
        for (int place = Dimensions.FOUNDING.size(); place < capacity.length; place++) {
            apply(new Command.AddDimension(new Dimension("extra" + place, Dimension.Kind.COUNT)));
        }
        apply(new Command.PutMachine("m", Amounts.of(capacity), new TreeMap<>(), Optional.empty(), false));
        CellView loaded = load(cell.snapshot()).view();
        assertThat(loaded.machine(0).free()).isEqualTo(Amounts.of(capacity));
        assertThat(loaded.digests()).isEqualTo(cell.view().digests());
    }

    @Test
    void copy_ofATableThatForgotToCopyOnWrite_isFoundOut() throws ReflectiveOperationException {
        apply(COMMANDS_BEFORE);
        CellCopy copy = cell.copy();
        load(copy.snapshot());
        ownAllPages(MachinePages.of(CellTables.of(cell.view())));
        apply(100);
        assertThatThrownBy(() -> load(copy.snapshot()))
                .isInstanceOfAny(DamagedBytesException.class, IllegalStateException.class);
    }

    /** Marks all pages as if no copy shared them and all had been written. */
    private static void ownAllPages(WordPages pages) throws ReflectiveOperationException {
        Field own = WordPages.class.getDeclaredField("own");
        Field all = WordPages.class.getDeclaredField("pages");
        own.setAccessible(true);
        all.setAccessible(true);
        own.set(pages, all.get(pages));
    }

    private static Cell load(List<byte[]> chunks) {
        Cell loaded = new Cell(LIMITS);
        loaded.load(chunks);
        return loaded;
    }

    // ---- changed pages

    @Test
    void pagesSince_putOverThoseOfTheCopyBefore_makeTheWholeCell() {
        Kept kept = new Kept();
        CellCopy before = cell.copy();
        before.forEachPage(kept);
        for (int round = 0; round < 50; round++) {
            apply(40);
            CellCopy copy = cell.copy();
            copy.forEachPageSince(before, kept);
            Cell loaded = load(new ArrayList<>(kept.pages.values()));
            assertThat(loaded.view().digests()).isEqualTo(cell.view().digests());
            assertThat(loaded.outcomesDigest()).isEqualTo(cell.outcomesDigest());
            before = copy;
        }
    }

    /** A task's row is written in another way at another level, so an unchanged page is not left as it was. */
    @Test
    void pagesSince_afterTheLevelWasRaised_makeTheWholeCell() {
        TestCell raised = new TestCell();
        raised.machine("m", 4_000, 100);
        raised.job("j", 1, 100, 10);
        raised.place("j", 0, "m");
        Kept kept = new Kept();
        CellCopy before = raised.cell.copy();
        before.forEachPage(kept);

        raised.apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        raised.cell.copy().forEachPageSince(before, kept);

        assertThat(load(new ArrayList<>(kept.pages.values())).view().digests())
                .isEqualTo(raised.view().digests());
    }

    @Test
    void pagesSince_nothingHappened_areNone() {
        apply(COMMANDS_BEFORE);
        CellCopy before = cell.copy();
        Kept kept = new Kept();
        cell.copy().forEachPageSince(before, kept);
        assertThat(kept.pages).isEmpty();
    }

    /** The page of one task among many, its machine's, its job's, and the pages that every version changes. */
    @Test
    void pagesSince_oneClaimInALargeCell_areFew() {
        TestCell large = new TestCell();
        for (int machine = 0; machine < 1_000; machine++) {
            large.machine("m" + machine, 64_000, 65_536);
        }
        large.job("j", 1_000, 100, 100);
        for (int task = 0; task < 900; task++) {
            large.place("j", task, "m" + task);
        }
        CellCopy before = large.cell.copy();
        large.place("j", 900, "m900");
        Kept kept = new Kept();
        Kept all = new Kept();
        CellCopy after = large.cell.copy();
        after.forEachPageSince(before, kept);
        after.forEachPage(all);
        assertThat(all.pages).hasSizeGreaterThan(25);
        assertThat(kept.pages).hasSizeLessThan(9);
    }

    /** A store of pages. */
    private static final class Kept implements CellCopy.Pages {
        final SortedMap<Long, byte[]> pages = new TreeMap<>();

        @Override
        public void page(long key, byte[] bytes) {
            pages.put(key, bytes);
        }

        @Override
        public void gone(long key) {
            pages.remove(key);
        }
    }
}
