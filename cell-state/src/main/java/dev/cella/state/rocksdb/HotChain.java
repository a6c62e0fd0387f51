package dev.cella.state.rocksdb;

import dev.cella.state.core.HotPages;
import java.util.Optional;

/**
 * What the newest checkpoint's files of hot pages are: one with all pages and, after it, some with the pages that changed
 * from one checkpoint to the next.
 *
 * <p>A checkpoint shares its predecessor's files and adds one, so that it costs what has changed and not what there is. A
 * start reads all of them; so that this stays a small multiple of what there is, the chain begins anew when the changes have
 * come to as much as all pages were, or the files are too many. Who keeps a chain keeps the pages as they were written last:
 * they share with the cell what has not changed since.
 *
 * @param pages as of the newest file
 * @param wholeBytes of the file with all pages
 * @param changedBytes of the others
 * @param newestBytes of the newest
 */
record HotChain(HotPages pages, int files, long wholeBytes, long changedBytes, long newestBytes) {
    private static final int FILES_MAX = 32;

    static HotChain begin(HotPages pages, long bytes) {
        return new HotChain(pages, 1, bytes, 0, bytes);
    }

    HotChain with(HotPages next, long bytes) {
        return new HotChain(next, files + 1, wholeBytes, changedBytes + bytes, bytes);
    }

    /** Itself while another file may be put to it. */
    Optional<HotChain> unlessLong() {
        return files < FILES_MAX && changedBytes < wholeBytes ? Optional.of(this) : Optional.empty();
    }
}
