package dev.cella.state.conflicts;

import dev.cella.state.history.RowRing.Segment;
import dev.cella.transactions.model.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts lost claims by reason, machine, loser and winner, and by one more requested key. Used for one question. */
final class LedgerCounts {
    /** A count, with the first and the last time. */
    static final class Tally {
        long count;
        long firstMillis = Long.MAX_VALUE;
        long lastMillis = Long.MIN_VALUE;

        void add(long millis) {
            count++;
            firstMillis = Math.min(firstMillis, millis);
            lastMillis = Math.max(lastMillis, millis);
        }

        void add(Tally other) {
            count += other.count;
            firstMillis = Math.min(firstMillis, other.firstMillis);
            lastMillis = Math.max(lastMillis, other.lastMillis);
        }

        Optional<ConflictSummary.Lost> lost() {
            return count == 0 ? Optional.empty() : Optional.of(new ConflictSummary.Lost(firstMillis, lastMillis));
        }
    }

    private static final Reason[] REASONS = Reason.values();

    private final Optional<GroupBy> groupBy;
    private final Tally all = new Tally();
    private final Map<Cause, Long> causes = new HashMap<>();
    private final Map<String, Long> machines = new HashMap<>();
    private final Map<List<String>, Long> matrix = new HashMap<>();
    private final Map<String, Tally> losers = new HashMap<>();
    private final Map<String, Tally> groups = new HashMap<>();

    LedgerCounts(Optional<GroupBy> groupBy) {
        this.groupBy = groupBy;
    }

    /** Counts by the segment's numbers first, and turns them into names once per segment. */
    void add(Segment segment, LedgerFilter.InSegment filter) {
        int names = segment.nameCount();
        long[] byMachine = new long[names];
        long[] byReason = new long[REASONS.length * names];
        Map<Long, Tally> byPair = new HashMap<>();
        Map<Integer, Tally> byLoser = new HashMap<>();
        Map<Integer, Tally> byGroup = new HashMap<>();
        LedgerCursor row = new LedgerCursor(segment);
        while (row.next()) {
            if (filter.accepts(row)) {
                all.add(row.millis);
                tally(byLoser, row.loser, row.millis);
                byMachine[row.machine]++;
                byReason[row.reason * names + row.dimension]++;
                if (row.winner >= 0) {
                    tally(byPair, (long) row.loser << 32 | row.winner, row.millis);
                }
                groupBy.ifPresent(by -> tally(byGroup, key(by, row), row.millis));
            }
        }
        for (int name = 0; name < names; name++) {
            if (byMachine[name] > 0 && !segment.name(name).isEmpty()) {
                machines.merge(segment.name(name), byMachine[name], Long::sum);
            }
        }
        for (int at = 0; at < byReason.length; at++) {
            if (byReason[at] > 0) {
                causes.merge(cause(REASONS[at / names], segment.name(at % names)), byReason[at], Long::sum);
            }
        }
        byPair.forEach((pair, tally) -> matrix.merge(
                List.of(segment.name((int) (pair >> 32)), segment.name(pair.intValue())), tally.count, Long::sum));
        byLoser.forEach((key, tally) ->
                losers.computeIfAbsent(segment.name(key), first -> new Tally()).add(tally));
        byGroup.forEach((key, tally) -> addGroup(groupName(segment, key), tally));
    }

    private static <K> void tally(Map<K, Tally> by, K key, long millis) {
        by.computeIfAbsent(key, first -> new Tally()).add(millis);
    }

    private static int key(GroupBy by, LedgerCursor row) {
        return switch (by) {
            case SCHEDULER -> row.loser;
            case WINNER -> row.winner;
            case MACHINE -> row.machine;
            case REASON -> row.reason;
            case DIMENSION -> row.dimension;
            case JOB -> row.jobName;
        };
    }

    private String groupName(Segment segment, int key) {
        if (groupBy.equals(Optional.of(GroupBy.REASON))) {
            return REASONS[key].name();
        }
        return key < 0 ? "" : segment.name(key);
    }

    private static Cause cause(Reason reason, String dimension) {
        return new Cause(reason, dimension.isEmpty() ? Optional.empty() : Optional.of(dimension));
    }

    private void addGroup(String name, Tally tally) {
        if (!name.isEmpty()) {
            groups.computeIfAbsent(name, first -> new Tally()).add(tally);
        }
    }

    // ---- the answer, the most frequent first

    Tally all() {
        return all;
    }

    /** The times of the scheduler's first and last lost claim. */
    Optional<ConflictSummary.Lost> lostBy(String scheduler) {
        return Optional.ofNullable(losers.get(scheduler)).flatMap(Tally::lost);
    }

    List<ConflictSummary.CauseRow> causes() {
        return rows(causes, Comparator.<Cause>naturalOrder()).stream()
                .map(each -> new ConflictSummary.CauseRow(each.getKey(), each.getValue()))
                .toList();
    }

    List<ConflictSummary.MachineRow> machines() {
        return rows(machines, Comparator.<String>naturalOrder()).stream()
                .map(each -> new ConflictSummary.MachineRow(each.getKey(), each.getValue()))
                .toList();
    }

    List<ConflictSummary.MatrixRow> matrix() {
        return rows(matrix, Comparator.comparing((List<String> pair) -> pair.get(0) + "\0" + pair.get(1))).stream()
                .map(each -> new ConflictSummary.MatrixRow(
                        each.getKey().get(0), each.getKey().get(1), each.getValue()))
                .sorted(Comparator.comparing(ConflictSummary.MatrixRow::loser))
                .toList();
    }

    List<ConflictSummary.GroupRow> groups() {
        return groups.entrySet().stream()
                .map(each -> new ConflictSummary.GroupRow(
                        each.getKey(), each.getValue().count, each.getValue().firstMillis, each.getValue().lastMillis))
                .sorted(Comparator.comparingLong(ConflictSummary.GroupRow::count)
                        .reversed()
                        .thenComparing(ConflictSummary.GroupRow::key))
                .toList();
    }

    private static <K> List<Map.Entry<K, Long>> rows(Map<K, Long> counts, Comparator<K> order) {
        List<Map.Entry<K, Long>> sorted = new ArrayList<>(counts.entrySet());
        sorted.sort(Map.Entry.<K, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey(order)));
        return sorted;
    }
}
