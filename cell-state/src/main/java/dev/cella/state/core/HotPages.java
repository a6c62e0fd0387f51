package dev.cella.state.core;

import dev.cella.transactions.cell.copies.CellCopy;

/**
 * The hot tables at one place in the log, page by page. They stay as they are while the cell goes on. The thread that writes a
 * page turns it into bytes at that moment.
 *
 * <p>There are two implementations: the pages of a running cell, and made-up pages in tests of a store.
 */
public interface HotPages {
    /** All pages. */
    void forEach(CellCopy.Pages pages);

    /** The pages that differ from earlier pages of the same cell, and those that are gone since. */
    void forEachSince(HotPages earlier, CellCopy.Pages pages);
}
