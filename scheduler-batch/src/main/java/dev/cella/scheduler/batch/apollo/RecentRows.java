package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduler.batch.SharedMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The rows that the last plans sent to machines of one cell: a view may not show them yet. Immutable.
 *
 * <p>A plan looks at the rows of a few machines, so it decides for these rows only which of them still count ({@link
 * SentTask#isRecent}). Each round drops the others.
 */
final class RecentRows {
    static final RecentRows NONE = new RecentRows(SharedMap.of(Map.of()), new BitSet());

    private final SharedMap<Integer, List<SentTask>> rows;
    private final BitSet machines;

    private RecentRows(SharedMap<Integer, List<SentTask>> rows, BitSet machines) {
        this.rows = rows;
        this.machines = machines;
    }

    /** The slots of the machines that have rows here; the caller's own. */
    BitSet machines() {
        return (BitSet) machines.clone();
    }

    /** The rows at the machine, in the order in which they were sent. */
    List<SentTask> at(int machine) {
        return rows.getOrDefault(machine, List.of());
    }

    Stream<SentTask> all() {
        return rows.values().stream().flatMap(List::stream);
    }

    RecentRows and(List<SentTask> sent) {
        Map<Integer, List<SentTask>> changed = new LinkedHashMap<>();
        BitSet withThem = machines();
        for (SentTask each : sent) {
            changed.computeIfAbsent(each.machine(), machine -> new ArrayList<>(at(machine)))
                    .add(each);
            withThem.set(each.machine());
        }
        return new RecentRows(rows.with(changed), withThem);
    }

    RecentRows only(Predicate<SentTask> which) {
        return NONE.and(all().filter(which).toList());
    }
}
