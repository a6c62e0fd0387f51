package dev.cella.transactions.cell.tables;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.cell.pages.TableDigest;
import dev.cella.transactions.cell.pages.WordPages;
import dev.cella.transactions.model.Amounts;

/**
 * The free, present and wanted amounts of each machine, by dimension, and the marks that say whether it takes claims. These
 * words of a row follow those of {@link MachineRows}.
 *
 * <p>A search for a machine draws many at random and needs from each only the marks and the free amounts, so those words are
 * adjacent. The wanted amounts matter only for machines that shrink, so they are apart. Owned by the thread that applies
 * changes; copies share its pages.
 */
final class MachineAmounts {
    static final long DRAINING = 1;
    static final long DOWN = 2;
    static final long SHRINKING = 4;
    static final long EXISTS = 8;
    static final long HAS_AGENT = 16;

    private static final int FITS = -1;
    static final int MARKS = MachineRows.WORDS;
    private static final int FREE = MARKS + 1;

    private int width;
    private WordPages rows;
    private WordPages wanted;

    MachineAmounts() {
        this(3);
    }

    private MachineAmounts(int width) {
        this.width = width;
        this.rows = new WordPages(FREE + 2 * width, MachineRows.ROW_BITS);
        this.wanted = new WordPages(width, MachineRows.ROW_BITS);
    }

    private MachineAmounts(MachineAmounts copied) {
        width = copied.width;
        rows = copied.rows.copy();
        wanted = copied.wanted.copy();
    }

    MachineAmounts copy() {
        return new MachineAmounts(this);
    }

    // ---- reading

    /** The rows. {@link MachineRows} owns their first words. */
    WordPages rows() {
        return rows;
    }

    /** How many dimensions a row has room for. */
    int width() {
        return width;
    }

    boolean has(int slot, long marks) {
        return (marks(slot) & marks) != 0;
    }

    /** Returns whether the slot has a machine that takes claims. This reads one word. */
    boolean isReady(int slot) {
        return (marks(slot) & (EXISTS | DRAINING | DOWN)) == EXISTS;
    }

    long marks(int slot) {
        return rows.word(slot, MARKS);
    }

    long free(int slot, int dimension) {
        return rows.word(slot, FREE + dimension);
    }

    long capacity(int slot, int dimension) {
        return rows.word(slot, FREE + width + dimension);
    }

    long wanted(int slot, int dimension) {
        return wanted.word(slot, dimension);
    }

    /** The free amount, or below zero the excess of a machine that is to shrink. */
    long slack(int slot, int dimension) {
        long free = free(slot, dimension);
        return has(slot, SHRINKING) ? free - (capacity(slot, dimension) - wanted(slot, dimension)) : free;
    }

    /** The first dimension in which the request is more than the slack, or -1. */
    int firstTooFew(int slot, Amounts asked) {
        boolean shrinking = has(slot, SHRINKING);
        long[] page = rows.page(slot);
        int at = rows.at(slot) + FREE;
        for (int dimension = 0; dimension < asked.size(); dimension++) {
            long left = shrinking ? Math.max(0, slack(slot, dimension)) : page[at + dimension];
            if (asked.at(dimension) > left) {
                return dimension;
            }
        }
        return FITS;
    }

    /** Copies the slack in the first {@code dimensions} dimensions. */
    void copySlack(int slot, int dimensions, long[] to, int at) {
        boolean shrinking = has(slot, SHRINKING);
        long[] page = rows.page(slot);
        int from = rows.at(slot) + FREE;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            to[at + dimension] = shrinking ? slack(slot, dimension) : page[from + dimension];
        }
    }

    /** Reads something from each line of memory of the row; the value has no meaning. */
    long readRow(int slot) {
        long[] page = rows.page(slot);
        int at = rows.at(slot);
        return page[at] + page[at + MARKS] + page[at + FREE + 2 * width - 1];
    }

    /** Returns whether no machine of the page changed between the two copies. */
    boolean isSame(int page, MachineAmounts other) {
        return rows.isSame(page, other.rows) && wanted.isSame(page, other.wanted);
    }

    // ---- changing

    void reach(int slot) {
        rows.reach(slot);
        wanted.reach(slot);
    }

    void mark(int slot, long mark, boolean on) {
        rows.set(slot, MARKS, on ? marks(slot) | mark : marks(slot) & ~mark);
    }

    void set(int slot, int dimension, long isFree, long has, long shallHave) {
        long[] page = rows.toWrite(slot);
        int at = rows.at(slot) + FREE + dimension;
        page[at] = isFree;
        page[at + width] = has;
        if (wanted(slot, dimension) != shallHave) {
            wanted.set(slot, dimension, shallHave);
        }
    }

    /** Notes, after all amounts are set, whether the machine has more than wanted. */
    void noteShrinking(int slot) {
        boolean shrinking = false;
        for (int dimension = 0; dimension < width; dimension++) {
            shrinking |= capacity(slot, dimension) != wanted(slot, dimension);
        }
        mark(slot, SHRINKING, shrinking);
    }

    /**
     * Takes free amounts from the row that begins there. Returns how much the machine's weight in the digest grows.
     */
    static long take(int slot, long[] page, int at, Amounts amounts) {
        long weight = 0;
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            long left = page[at + FREE + dimension] - amounts.at(dimension);
            checkInvariant(left >= 0, "machine slot %s, dimension %s: free %s", slot, dimension, left);
            page[at + FREE + dimension] = left;
            weight -= TableDigest.weight(MachineDigest.FREE + dimension, amounts.at(dimension));
        }
        return weight;
    }

    /** Gives back to a row of a machine that does not shrink. Returns how much its weight in the digest grows. */
    long give(int slot, long[] page, int at, Amounts amounts) {
        long weight = 0;
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            int place = at + FREE + dimension;
            long free = page[place] + amounts.at(dimension);
            checkFree(slot, dimension, free, page[place + width]);
            page[place] = free;
            weight += TableDigest.weight(MachineDigest.FREE + dimension, amounts.at(dimension));
        }
        return weight;
    }

    /** Gives back to a machine that is shrinking: its capacity falls by that much, down to the wanted capacity. */
    void shrink(int slot, Amounts amounts) {
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            long more = free(slot, dimension) + amounts.at(dimension);
            long shrinks = Math.min(more, capacity(slot, dimension) - wanted(slot, dimension));
            set(slot, dimension, more - shrinks, capacity(slot, dimension) - shrinks, wanted(slot, dimension));
            checkFree(slot, dimension, free(slot, dimension), capacity(slot, dimension));
        }
    }

    private static void checkFree(int slot, int dimension, long free, long capacity) {
        checkInvariant(
                free <= capacity,
                "machine slot %s, dimension %s: more is free than there is: %s",
                slot,
                dimension,
                free);
    }

    /** Makes room for that many dimensions in each row. */
    void widen(int dimensions, int slots) {
        if (dimensions <= width) {
            return;
        }
        MachineAmounts wide = new MachineAmounts(Math.max(dimensions, 2 * width));
        for (int slot = 0; slot < slots; slot++) {
            wide.reach(slot);
            for (int word = 0; word < FREE; word++) {
                wide.rows.set(slot, word, rows.word(slot, word));
            }
            for (int dimension = 0; dimension < width; dimension++) {
                wide.set(slot, dimension, free(slot, dimension), capacity(slot, dimension), wanted(slot, dimension));
            }
        }
        width = wide.width;
        rows = wide.rows;
        wanted = wide.wanted;
    }
}
