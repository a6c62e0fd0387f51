package dev.cella.state.conflicts;

import dev.cella.state.conflicts.ConflictSummary.CauseRow;
import dev.cella.state.conflicts.ConflictSummary.MachineRow;
import dev.cella.state.conflicts.ConflictSummary.MatrixRow;
import dev.cella.state.conflicts.ConflictSummary.SchedulerRow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What came of transactions, by scheduler, in stretches of time that are short enough to answer for any window of the last
 * half hour. Memory is bounded by stretches, schedulers and what a tally keeps. Guarded by {@link ConflictLog}.
 */
final class Tallies {
    static final Duration STRETCH = Duration.ofSeconds(5);
    static final Duration KEPT = Duration.ofMinutes(30);
    /** Divided once: a duration is divided by another in decimals, which took longer than everything else here. */
    private static final long STRETCHES_KEPT = KEPT.dividedBy(STRETCH);

    private static final int SCHEDULERS_MAX = 32;

    private static final class Stretch {
        final long number;
        final Map<String, SchedulerTally> schedulers = new HashMap<>();

        Stretch(long number) {
            this.number = number;
        }
    }

    private final Deque<Stretch> stretches = new ArrayDeque<>();

    /** Where what the scheduler does at that time is counted; a clock that goes back is taken to stand still. */
    SchedulerTally of(String scheduler, long wallMillis) {
        long number = wallMillis / STRETCH.toMillis();
        if (stretches.isEmpty() || stretches.getLast().number < number) {
            stretches.addLast(new Stretch(number));
        }
        Stretch newest = stretches.getLast();
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

    /** What was counted since then, of the schedulers that are asked for. */
    ConflictSummary since(long wallMillis, Predicate<String> asked) {
        Map<String, SchedulerTally> sums = new TreeMap<>();
        for (Stretch stretch : stretches) {
            if (stretch.number >= wallMillis / STRETCH.toMillis()) {
                stretch.schedulers.forEach((scheduler, tally) -> {
                    if (asked.test(scheduler)) {
                        sums.computeIfAbsent(scheduler, first -> SchedulerTally.ofSum())
                                .add(tally);
                    }
                });
            }
        }
        return summary(sums);
    }

    private static ConflictSummary summary(Map<String, SchedulerTally> sums) {
        SchedulerTally all = SchedulerTally.ofSum();
        List<SchedulerRow> schedulers = new ArrayList<>();
        List<MatrixRow> matrix = new ArrayList<>();
        sums.forEach((name, tally) -> {
            all.add(tally);
            schedulers.add(new SchedulerRow(name, tally.totals, Sample.median(tally.staleness)));
            tally.winners.mostFirst().forEach(won -> matrix.add(new MatrixRow(name, won.getKey(), won.getValue())));
        });
        return new ConflictSummary(
                schedulers,
                causes(all.conflicts),
                causes(all.refusals),
                all.machines.mostFirst().stream()
                        .map(each -> new MachineRow(each.getKey(), each.getValue()))
                        .toList(),
                matrix);
    }

    private static List<CauseRow> causes(Counts<Cause> counts) {
        return counts.mostFirst().stream()
                .map(each -> new CauseRow(each.getKey(), each.getValue()))
                .toList();
    }
}
