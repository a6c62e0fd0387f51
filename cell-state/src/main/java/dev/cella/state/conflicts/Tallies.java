package dev.cella.state.conflicts;

import dev.cella.state.history.Span;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Outcomes of transactions by scheduler. The stretches of time are short enough to answer for any window of the last half
 * hour. Memory is bounded by the number of stretches, the number of schedulers and the size of a tally. Guarded by {@link
 * ConflictLog}.
 */
final class Tallies {
    static final Duration STRETCH = Duration.ofSeconds(5);
    static final Duration KEPT = Duration.ofMinutes(30);
    /** Divided once: dividing durations uses decimals, which took longer than everything else here. */
    private static final long STRETCHES_KEPT = KEPT.dividedBy(STRETCH);

    private static final int SCHEDULERS_MAX = 32;

    private static final class Stretch {
        final long number;
        final Map<String, SchedulerTally> schedulers = new HashMap<>();

        private final long firstVersion;
        private long lastVersion;

        Stretch(long number, long version) {
            this.number = number;
            this.firstVersion = version;
            this.lastVersion = version;
        }

        boolean touches(Span span) {
            long begin = number * STRETCH.toMillis();
            return span.touches(firstVersion, lastVersion, begin, begin + STRETCH.toMillis() - 1);
        }
    }

    private final Deque<Stretch> stretches = new ArrayDeque<>();

    /** The tally for the scheduler at that time. If the clock goes back, time counts as standing still. */
    SchedulerTally of(String scheduler, long version, long wallMillis) {
        long number = wallMillis / STRETCH.toMillis();
        if (stretches.isEmpty() || stretches.getLast().number < number) {
            stretches.addLast(new Stretch(number, version));
        }
        Stretch newest = stretches.getLast();
        newest.lastVersion = version;
        while (newest.number - stretches.getFirst().number > STRETCHES_KEPT) {
            stretches.removeFirst();
        }
        SchedulerTally tally = newest.schedulers.get(scheduler);
        if (tally == null) {
            String name = newest.schedulers.size() < SCHEDULERS_MAX ? scheduler : ConflictLog.OTHERS;
            tally = newest.schedulers.computeIfAbsent(name, first -> SchedulerTally.ofStretch());
        }
        return tally;
    }

    void clear() {
        stretches.clear();
    }

    /** The time from which counts for that window exist. */
    long countedFromMillis(long wallMillis) {
        return stretches.isEmpty()
                ? wallMillis
                : Math.max(wallMillis, stretches.getFirst().number * STRETCH.toMillis());
    }

    /** The counts in that stretch of time, by scheduler, for the schedulers that match. */
    SortedMap<String, SchedulerTally> in(Span span, Predicate<String> asked) {
        SortedMap<String, SchedulerTally> sums = new TreeMap<>();
        for (Stretch stretch : stretches) {
            if (stretch.touches(span)) {
                stretch.schedulers.forEach((scheduler, tally) -> {
                    if (asked.test(scheduler)) {
                        sums.computeIfAbsent(scheduler, first -> SchedulerTally.ofSum())
                                .add(tally);
                    }
                });
            }
        }
        return sums;
    }
}
