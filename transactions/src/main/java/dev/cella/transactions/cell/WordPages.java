package dev.cella.transactions.cell;

import java.util.Arrays;

/**
 * Rows of whole numbers, so many words each, in pages that copies share until one of them is written.
 *
 * <p>{@link #copy} hands out the pages as they are, in O(pages): from then on each page is replaced by a clone before it
 * is written for the first time. So a copy may be read by another thread while the owner goes on, a page that nobody
 * wrote is one object in every copy, and two copies differ in the pages that are not the same object. Owned by the thread
 * that applies changes.
 */
final class WordPages {
    private final int width;
    private final int rowBits;
    private final int rowMask;
    private long[][] pages = new long[0][];
    private int[] ownedSince = new int[0];
    private int pageCount;
    private int copies;

    /** {@code 1 << rowBits} rows a page, {@code width} words each. */
    WordPages(int width, int rowBits) {
        this.width = width;
        this.rowBits = rowBits;
        this.rowMask = (1 << rowBits) - 1;
    }

    // ---- reading

    /** The page that has the row, to read in at {@link #at}. */
    long[] page(int row) {
        return pages[row >>> rowBits];
    }

    /** Where in its page the row begins. */
    int at(int row) {
        return (row & rowMask) * width;
    }

    long word(int row, int word) {
        return pages[row >>> rowBits][(row & rowMask) * width + word];
    }

    // ---- writing

    /** The page that has the row, to write in at {@link #at} before the next copy is taken. */
    long[] toWrite(int row) {
        int page = row >>> rowBits;
        if (ownedSince[page] != copies) {
            pages[page] = pages[page].clone();
            ownedSince[page] = copies;
        }
        return pages[page];
    }

    void set(int row, int word, long value) {
        toWrite(row)[(row & rowMask) * width + word] = value;
    }

    /** Makes room for the row; one that was never written is all zero. */
    void reach(int row) {
        int needed = (row >>> rowBits) + 1;
        if (needed > pages.length) {
            pages = Arrays.copyOf(pages, Math.max(needed, 2 * pages.length));
            ownedSince = Arrays.copyOf(ownedSince, pages.length);
        }
        for (; pageCount < needed; pageCount++) {
            pages[pageCount] = new long[width << rowBits];
            ownedSince[pageCount] = copies;
        }
    }

    /** What the pages take of the memory. */
    long bytes() {
        return (long) pageCount * (width << rowBits) * Long.BYTES;
    }

    // ---- copies

    /** These rows as they are now, sharing all pages. Any thread may read it, once it was handed over. */
    WordPages copy() {
        copies++;
        WordPages copy = new WordPages(width, rowBits);
        copy.pages = Arrays.copyOf(pages, pageCount);
        copy.ownedSince = new int[pageCount];
        copy.pageCount = pageCount;
        copy.copies = 1;
        return copy;
    }

    int pages() {
        return pageCount;
    }

    int rowsAPage() {
        return rowMask + 1;
    }

    /** Whether nobody wrote the page between the two copies. */
    boolean isSame(int page, WordPages other) {
        return page < other.pageCount && pages[page] == other.pages[page];
    }
}
