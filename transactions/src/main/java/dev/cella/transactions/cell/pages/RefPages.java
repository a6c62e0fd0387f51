package dev.cella.transactions.cell.pages;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * At most one immutable value per row, in pages that copies share until one of them is written. It is what {@link WordPages}
 * is for numbers. Owned by the thread that applies changes.
 */
public final class RefPages<T> {
    private final int rowBits;
    private final int rowMask;
    private @Nullable Object[][] pages = new Object[0][];

    /** The pages that may be written in place; null where a copy has the page too. */
    private @Nullable Object[] @Nullable [] own = new Object[0][];

    private int pageCount;

    /** A page has {@code 1 << rowBits} rows. */
    public RefPages(int rowBits) {
        this.rowBits = rowBits;
        this.rowMask = (1 << rowBits) - 1;
    }

    @SuppressWarnings("unchecked")
    @Nullable
    public T get(int row) {
        return (T) pages[row >>> rowBits][row & rowMask];
    }

    public void set(int row, @Nullable T value) {
        int page = row >>> rowBits;
        if (own[page] == null) {
            pages[page] = pages[page].clone();
            own[page] = pages[page];
        }
        pages[page][row & rowMask] = value;
    }

    /** Makes room for the row. A row that was never written has no value. */
    public void reach(int row) {
        int needed = (row >>> rowBits) + 1;
        if (needed > pages.length) {
            pages = Arrays.copyOf(pages, Math.max(needed, 2 * pages.length));
            own = Arrays.copyOf(own, pages.length);
        }
        for (; pageCount < needed; pageCount++) {
            pages[pageCount] = new Object[1 << rowBits];
            own[pageCount] = pages[pageCount];
        }
    }

    /** A copy of these values that shares all pages. Any thread may read it once it was handed over. */
    public RefPages<T> copy() {
        RefPages<T> copy = new RefPages<>(rowBits);
        copy.pages = Arrays.copyOf(pages, pageCount);
        copy.own = new Object[pageCount][];
        copy.pageCount = pageCount;
        own = new Object[pages.length][];
        return copy;
    }

    /** Returns whether nobody wrote the page between the two copies. */
    public boolean isSame(int page, RefPages<T> other) {
        return page < other.pageCount && pages[page] == other.pages[page];
    }
}
