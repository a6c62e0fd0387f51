package dev.cella.state.conflicts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.history.Sample;
import dev.cella.state.history.Span;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

final class TalliesTest {
    private static final long NOON = Duration.ofDays(20_000).toMillis();
    private static final Totals SUCCESS = new Totals(1, 1, 0, 0, 3, 0, 0);
    private static final Totals CONFLICT = new Totals(1, 0, 1, 0, 2, 1, 0);

    private final Tallies tallies = new Tallies();

    private static SchedulerTally row(SortedMap<String, SchedulerTally> rows) {
        return Objects.requireNonNull(rows.get("a"));
    }

    private SortedMap<String, SchedulerTally> since(long wallMillis) {
        return tallies.in(Span.since(wallMillis), scheduler -> true);
    }

    private SchedulerTally at(String scheduler, long wallMillis) {
        return tallies.of(scheduler, wallMillis - NOON + 1, Math.max(NOON, wallMillis));
    }

    @Test
    void since_sumsWhatWasCountedInTheWindow() {
        at("a", NOON).decided(SUCCESS, 1);
        at("a", NOON + 60_000).decided(CONFLICT, 5);
        at("a", NOON + 61_000).decided(SUCCESS, 9);

        assertThat(row(since(NOON)).totals).isEqualTo(new Totals(3, 2, 1, 0, 8, 1, 0));
        assertThat(row(since(NOON + 30_000)).totals).isEqualTo(SUCCESS.plus(CONFLICT));
        assertThat(since(NOON + 120_000)).isEmpty();
    }

    @Test
    void conflictFraction_isConflictedOverSuccessful_andNothingWhereNoneIs() {
        assertThat(SUCCESS.plus(SUCCESS).plus(CONFLICT).conflictFraction()).isEqualTo(OptionalDouble.of(0.5));
        assertThat(CONFLICT.conflictFraction()).isEmpty();
    }

    @Test
    void in_ofVersions_takesTheStretchesThatHaveThem() {
        tallies.of("a", 10, NOON).decided(SUCCESS, 1);
        tallies.of("a", 20, NOON + 60_000).decided(CONFLICT, 5);

        Span upToTen = new Span(Long.MIN_VALUE, Long.MAX_VALUE, 0, 10);
        assertThat(row(tallies.in(upToTen, scheduler -> true)).totals).isEqualTo(SUCCESS);
    }

    @Test
    void staleness_isTheMedianOverAllStretches() {
        for (int value = 0; value <= 20; value++) {
            at("a", NOON + value * 1_000L).decided(SUCCESS, value);
        }
        assertThat(Sample.median(row(since(NOON)).staleness)).isEqualTo(OptionalLong.of(10));
    }

    @Test
    void median_ofMoreThanASampleKeeps_isNearTheTruth() {
        Sample sample = new Sample();
        for (int value = 0; value < 10_000; value++) {
            sample.add(value);
        }
        assertThat(Sample.median(List.of(sample)).orElseThrow()).isBetween(2_500L, 7_500L);
    }

    @Test
    void manySchedulers_areBounded_andNoneIsLostFromTheSum() {
        for (int scheduler = 0; scheduler < 1_000; scheduler++) {
            at("s" + scheduler, NOON).decided(SUCCESS, 0);
        }
        SortedMap<String, SchedulerTally> rows = since(NOON);
        assertThat(rows).hasSizeLessThan(50);
        assertThat(rows.values().stream()
                        .mapToLong(row -> row.totals.attempted())
                        .sum())
                .isEqualTo(1_000);
    }

    @Test
    void aClockThatGoesBack_isTakenToStandStill() {
        tallies.of("a", 1, NOON).decided(SUCCESS, 0);
        tallies.of("a", 2, NOON - 600_000).decided(SUCCESS, 0);
        assertThat(row(since(NOON)).totals.attempted()).isEqualTo(2);
    }
}
