package dev.cella.state.conflicts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.conflicts.ConflictSummary.MachineRow;
import dev.cella.state.conflicts.ConflictSummary.MatrixRow;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TransactionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class TalliesTest {
    private static final long NOON = Duration.ofDays(20_000).toMillis();
    private static final Totals SUCCESS = new Totals(1, 1, 0, 0, 3, 0, 0);
    private static final Totals CONFLICT = new Totals(1, 0, 1, 0, 2, 1, 0);

    private final Tallies tallies = new Tallies();

    private static LostClaim lost(String machine, String winner) {
        return new LostClaim(
                NOON,
                new TaskId(new JobId(7), 0, 0),
                "job/main/0",
                machine,
                Reason.DOES_NOT_FIT,
                Optional.of("cpuMilli"),
                500,
                0,
                10,
                origin("loser"),
                Optional.of(origin(winner)));
    }

    private static Origin origin(String scheduler) {
        return new Origin(new TransactionId(scheduler + "-1"), scheduler, 0, 15);
    }

    private ConflictSummary since(long wallMillis) {
        return tallies.since(wallMillis, scheduler -> true);
    }

    @Test
    void since_sumsWhatWasCountedInTheWindow() {
        tallies.of("a", NOON).decided(SUCCESS, 1);
        tallies.of("a", NOON + 60_000).decided(CONFLICT, 5);
        tallies.of("a", NOON + 61_000).decided(SUCCESS, 9);

        assertThat(since(NOON).schedulers().get(0).totals()).isEqualTo(new Totals(3, 2, 1, 0, 8, 1, 0));
        assertThat(since(NOON + 30_000).schedulers().get(0).totals()).isEqualTo(SUCCESS.plus(CONFLICT));
        assertThat(since(NOON + 120_000).schedulers()).isEmpty();
    }

    @Test
    void conflictFraction_isConflictedOverSuccessful_andNothingWhereNoneIs() {
        assertThat(SUCCESS.plus(SUCCESS).plus(CONFLICT).conflictFraction()).isEqualTo(OptionalDouble.of(0.5));
        assertThat(CONFLICT.conflictFraction()).isEmpty();
    }

    @Test
    void since_findsWhoLostToWhomAndWhere() {
        SchedulerTally tally = tallies.of("a", NOON);
        tally.lost(lost("m1", "b"));
        tally.lost(lost("m1", "b"));
        tallies.of("a", NOON + 10_000).lost(lost("m2", "c"));

        assertThat(since(NOON).matrix()).containsExactly(new MatrixRow("a", "b", 2), new MatrixRow("a", "c", 1));
        assertThat(since(NOON).machines()).containsExactly(new MachineRow("m1", 2), new MachineRow("m2", 1));
        assertThat(since(NOON).conflicts().get(0).count()).isEqualTo(3);
    }

    @Test
    void staleness_isTheMedianOverAllStretches() {
        for (int value = 0; value <= 20; value++) {
            tallies.of("a", NOON + value * 1_000L).decided(SUCCESS, value);
        }
        assertThat(since(NOON).schedulers().get(0).stalenessVersionsMedian()).isEqualTo(OptionalLong.of(10));
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
            tallies.of("s" + scheduler, NOON).decided(SUCCESS, 0);
        }
        List<ConflictSummary.SchedulerRow> rows = since(NOON).schedulers();
        assertThat(rows).hasSizeLessThan(50);
        assertThat(rows.stream().mapToLong(row -> row.totals().attempted()).sum())
                .isEqualTo(1_000);
    }

    @Test
    void aClockThatGoesBack_isTakenToStandStill() {
        tallies.of("a", NOON).decided(SUCCESS, 0);
        tallies.of("a", NOON - 600_000).decided(SUCCESS, 0);
        assertThat(since(NOON).schedulers().get(0).totals().attempted()).isEqualTo(2);
    }
}
