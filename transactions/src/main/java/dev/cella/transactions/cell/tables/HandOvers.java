package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Digests;
import java.util.HashMap;
import java.util.Map;

/**
 * The amounts of a victim that another placement holds by now, and which placement that is. Few tasks are ever evicted, so
 * this table is separate from their rows. Owned by the thread that applies changes.
 */
final class HandOvers {
    /** One victim's record; the version is 0 if it yields to nobody. */
    record HandOver(Amounts amounts, long toVersion, int toOrdinal) {
        static final HandOver NONE = new HandOver(Amounts.NONE, 0, 0);

        boolean isNone() {
            return amounts.isNone() && toVersion == 0;
        }

        boolean isTo(long version, int ordinal) {
            return toVersion != 0 && toVersion == version && toOrdinal == ordinal;
        }

        long digest() {
            return Digests.mix(Digests.mix(toVersion, toOrdinal), amounts.digest());
        }
    }

    private final Map<Integer, HandOver> byRow;

    HandOvers() {
        byRow = new HashMap<>();
    }

    private HandOvers(HandOvers copied) {
        byRow = new HashMap<>(copied.byRow);
    }

    HandOvers copy() {
        return new HandOvers(this);
    }

    int size() {
        return byRow.size();
    }

    HandOver of(int row) {
        return byRow.isEmpty() ? HandOver.NONE : byRow.getOrDefault(row, HandOver.NONE);
    }

    void set(int row, HandOver handOver) {
        if (!handOver.isNone()) {
            byRow.put(row, handOver);
        } else if (!byRow.isEmpty()) {
            byRow.remove(row);
        }
    }
}
