package dev.cella.state.web.feed;

import dev.cella.transactions.model.Origin;
import java.util.List;
import java.util.Optional;

/** The changes of one version of the cell. A version without changes is an event too. */
record VersionChange(long version, Optional<Origin> transaction, List<ChangedRow> rows) {
    VersionChange {
        rows = List.copyOf(rows);
    }

    /** Roughly its size in memory. */
    long weight() {
        return 100 + rows.stream().mapToLong(ChangedRow::weight).sum();
    }

    VersionChange only(FeedFilter filter) {
        return filter.isEverything() ? this : new VersionChange(version, transaction, filter.seen(rows));
    }
}
