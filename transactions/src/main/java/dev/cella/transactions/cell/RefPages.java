package dev.cella.transactions.cell;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One immutable value a row, or none, in pages that copies share until one of them is written: what {@link WordPages} is
 * for numbers. Owned by the thread that applies changes.
 */
final class RefPages<T> {
    private final int rowBits;
    private final int rowMask;
    private @Nullable Object[][] pages = new Object[0][];
    private int[] ownedSince = new int[0];
    private int copies;

    /** {@code 1 << rowBits} rows a page. */
    RefPages(int rowBits) {
        this.rowBits = rowBits;
        this.rowMask = (1 << rowBits) - 1;
    }

    @SuppressWarnings("unchecked")
    @Nullable
    T get(int row) {
        return (T) pages[row >>> rowBits][row & rowMask];
    }

    void set(int row, @Nullable T value) {
        int page = row >>> rowBits;
        if (ownedSince[page] != copies) {
            pages[page] = pages[page].clone();
            ownedSince[page] = copies;
        }
        pages[page][row & rowMask] = value;
    }

    /** Makes room for the row; one that was never written has no value. */
    void reach(int row) {
        int needed = (row >>> rowBits) + 1;
        if (needed > pages.length) {
            int before = pages.length;
            pages = Arrays.copyOf(pages, needed);
            ownedSince = Arrays.copyOf(ownedSince, needed);
            for (int page = before; page < needed; page++) {
                pages[page] = new Object[1 << rowBits];
                ownedSince[page] = copies;
            }
        }
    }

    Copy<T> copy() {
        copies++;
        return new Copy<>(pages.clone(), rowBits);
    }

    /** The pages of one moment, which nobody writes any more. Any thread may read them. */
    static final class Copy<T> {
        private final @Nullable Object[][] pages;
        private final int rowBits;

        private Copy(@Nullable Object[][] pages, int rowBits) {
            this.pages = pages;
            this.rowBits = rowBits;
        }

        @SuppressWarnings("unchecked")
        @Nullable
        T get(int row) {
            return (T) pages[row >>> rowBits][row & (1 << rowBits) - 1];
        }

        boolean isDirty(int page, Copy<T> earlier) {
            return page >= earlier.pages.length || pages[page] != earlier.pages[page];
        }
    }
}
