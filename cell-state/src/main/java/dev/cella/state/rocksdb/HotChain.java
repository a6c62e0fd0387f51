package dev.cella.state.rocksdb;

import dev.cella.state.core.HotPages;
import java.util.Optional;

/**
 * The newest checkpoint's files of hot pages: one with all pages, followed by some with the pages that changed from one
 * checkpoint to the next.
 *
 * <p>A checkpoint links its predecessor's files and adds one, so its cost is proportional to the changes. A start reads all
 * files. To keep that a small multiple of the state, the chain starts again when the changes are as large as all pages, or when
 * there are too many files. The holder of a chain keeps the pages as they were written last; they share unchanged pages with
 * the cell.
 *
 * @param pages as of the newest file
 * @param wholeBytes the size of the file with all pages
 * @param changedBytes the size of the others
 * @param newestBytes the size of the newest
 */
record HotChain(HotPages pages, int files, long wholeBytes, long changedBytes, long newestBytes) {
    private static final int FILES_MAX = 32;

    static HotChain begin(HotPages pages, long bytes) {
        return new HotChain(pages, 1, bytes, 0, bytes);
    }

    HotChain with(HotPages next, long bytes) {
        return new HotChain(next, files + 1, wholeBytes, changedBytes + bytes, bytes);
    }

    /** The chain itself while another file may be added; otherwise empty. */
    Optional<HotChain> unlessLong() {
        return files < FILES_MAX && changedBytes < wholeBytes ? Optional.of(this) : Optional.empty();
    }
}
