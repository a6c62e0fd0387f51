package dev.cella.state.web.feed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The changes of several versions merged: each row once, as the last version left it. For a reader that draws the cell and
 * cannot use every version of a busy one. The number of rows bounds the memory, not the number of versions.
 */
final class MergedEvents {
    private final Map<String, ChangedRow> rows = new LinkedHashMap<>();
    private long version;

    void add(VersionChange event) {
        version = event.version();
        event.rows().forEach(row -> rows.put(row.kind() + " " + row.name(), row));
    }

    boolean isEmpty() {
        return version == 0;
    }

    /** Removes and returns everything. */
    VersionChange take() {
        List<ChangedRow> taken = new ArrayList<>(rows.values());
        VersionChange merged = new VersionChange(version, Optional.empty(), taken);
        rows.clear();
        version = 0;
        return merged;
    }
}
