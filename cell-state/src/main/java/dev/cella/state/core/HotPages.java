package dev.cella.state.core;

import dev.cella.transactions.cell.CellCopy;

/**
 * The hot tables at one place in the log, page by page: they stay as they are while the cell goes on. A page is made into
 * bytes when it is told, so by the thread that writes it.
 *
 * <p>Two exist: those of a running cell, and those that tests of a store make up.
 */
public interface HotPages {
    /** All of them. */
    void forEach(CellCopy.Pages pages);

    /** Those that are others than in earlier pages of the same cell, and those that are gone since. */
    void forEachSince(HotPages earlier, CellCopy.Pages pages);
}
