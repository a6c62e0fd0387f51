package dev.cella.state.web.feed;

import dev.cella.transactions.model.Origin;
import java.util.List;
import java.util.Optional;

/** What one version of the cell changed. A version that changed nothing is an event too. */
record VersionChange(long version, Optional<Origin> transaction, List<ChangedRow> rows) {
    VersionChange {
        rows = List.copyOf(rows);
    }

    /** About what it takes in memory. */
    long weight() {
        return 100 + rows.stream().mapToLong(ChangedRow::weight).sum();
    }

    VersionChange only(FeedFilter filter) {
        return filter.isEverything() ? this : new VersionChange(version, transaction, filter.seen(rows));
    }
}
