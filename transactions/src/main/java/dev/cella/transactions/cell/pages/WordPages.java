package dev.cella.transactions.cell.pages;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rows of {@code width} whole numbers, in pages that copies share until one of them is written.
 *
 * <p>{@link #copy} hands out the pages as they are, in O(pages). After that, the first write to a page replaces it by a clone.
 * So another thread may read a copy while the owner goes on. A page that nobody wrote is the same object in every copy, and
 * two copies differ in the pages that are not. All pages that were never written are one object, the blank page. Owned by the
 * thread that applies changes.
 */
public final class WordPages {
    private final int width;
    private final int rowBits;
    private final int rowMask;

    /** Stands for each page that was never written. */
    private final long[] blank;

    private long[][] pages = new long[0][];

    /** The pages that may be written in place; null where a copy has the page too, or where it is the blank page. */
    private long[] @Nullable [] own = new long[0][];

    private int pageCount;

    /** A page has {@code 1 << rowBits} rows of {@code width} words. */
    public WordPages(int width, int rowBits) {
        this(width, rowBits, new long[width << rowBits]);
    }

    private WordPages(int width, int rowBits, long[] blank) {
        this.width = width;
        this.rowBits = rowBits;
        this.rowMask = (1 << rowBits) - 1;
        this.blank = blank;
    }

    // ---- reading

    /** The page that has the row, for reading at {@link #at}. */
    public long[] page(int row) {
        return pages[row >>> rowBits];
    }

    /** Where in its page the row begins. */
    public int at(int row) {
        return (row & rowMask) * width;
    }

    public long word(int row, int word) {
        return pages[row >>> rowBits][(row & rowMask) * width + word];
    }

    // ---- writing

    /** The page that has the row, for writing at {@link #at} before the next copy is taken. */
    public long[] toWrite(int row) {
        int page = row >>> rowBits;
        long[] written = own[page];
        return written == null ? makeOwn(page) : written;
    }

    private long[] makeOwn(int page) {
        long[] mine = pages[page].clone();
        pages[page] = mine;
        own[page] = mine;
        return mine;
    }

    public void set(int row, int word, long value) {
        toWrite(row)[(row & rowMask) * width + word] = value;
    }

    /** Makes room for the row. A row that was never written is all zero. */
    public void reach(int row) {
        int needed = (row >>> rowBits) + 1;
        if (needed > pages.length) {
            pages = Arrays.copyOf(pages, Math.max(needed, 2 * pages.length));
            own = Arrays.copyOf(own, pages.length);
        }
        for (; pageCount < needed; pageCount++) {
            pages[pageCount] = blank;
        }
    }

    /** The memory that the pages use when all were written. */
    public long bytes() {
        return (long) pageCount * (width << rowBits) * Long.BYTES;
    }

    // ---- copies

    /** A copy of these rows that shares all pages. Any thread may read it once it was handed over. */
    public WordPages copy() {
        WordPages copy = new WordPages(width, rowBits, blank);
        copy.pages = Arrays.copyOf(pages, pageCount);
        copy.own = new long[pageCount][];
        copy.pageCount = pageCount;
        own = new long[pages.length][];
        return copy;
    }

    public int pages() {
        return pageCount;
    }

    public int rowsAPage() {
        return rowMask + 1;
    }

    /** Returns whether nobody wrote the page between the two copies. */
    public boolean isSame(int page, WordPages other) {
        return page < other.pageCount && pages[page] == other.pages[page];
    }
}
