package dev.cella.state.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SeriesTest {
    private static final long NOON = Duration.ofDays(20_000).toMillis();

    private final Series series = new Series();

    private void run(Duration time) {
        for (long second = 0; second <= time.toSeconds(); second++) {
            List<Double> values = List.of(0.0, 0.0, (double) second, 0.0, 0.0, second % 2 == 0 ? Double.NaN : 4.0);
            series.add(new Series.Point(NOON + second * 1_000, second + 1, values));
        }
    }

    @Test
    void theLastMinutes_areThereSecondBySecond() {
        run(Duration.ofMinutes(5));
        long now = NOON + Duration.ofMinutes(5).toMillis();
        Series.Answer minute = series.in(now - 60_000, now, now);

        assertThat(minute.stepMillis()).isEqualTo(1_000);
        assertThat(minute.points()).hasSizeBetween(59, 61);
    }

    @Test
    void anHour_isCoarser_andEachPointTheMeanOfItsStep() {
        run(Duration.ofMinutes(60));
        long now = NOON + Duration.ofMinutes(60).toMillis();
        Series.Answer hour = series.in(NOON, now, now);

        assertThat(hour.stepMillis()).isEqualTo(10_000);
        assertThat(hour.points()).hasSize(360);
        assertThat(hour.points().get(0).value(Series.Name.PENDING)).isEqualTo(4.5);
        assertThat(hour.points().get(0).value(Series.Name.LATENCY)).isEqualTo(4);
    }

    @Test
    void aWeek_isBounded() {
        run(Duration.ofDays(7));
        long now = NOON + Duration.ofDays(7).toMillis();
        Series.Answer all = series.in(NOON, now, now);

        assertThat(all.stepMillis()).isEqualTo(60_000);
        assertThat(all.points()).hasSize(2_880);
        assertThat(series.versionAt(now - 30_000)).isEqualTo(7 * 24 * 3600 - 30 + 1);
    }

    @Test
    void clockThatWasSetBack_dropsThePointsOfTheTimeThatComesAgain() {
        run(Duration.ofMinutes(60));
        long back = NOON + Duration.ofMinutes(40).toMillis();
        for (int second = 0; second < 20; second++) {
            series.add(new Series.Point(back + second * 1_000L, 4_000 + second, List.of(0.0, 0.0, 9.0, 0.0, 0.0, 0.0)));
        }

        long now = back + 20_000;
        assertThat(series.in(NOON, now, now).points())
                .isSortedAccordingTo(Comparator.comparingLong(Series.Point::atMillis))
                .last()
                .satisfies(point -> assertThat(point.version()).isGreaterThanOrEqualTo(4_000));
        assertThat(series.versionAt(now)).isGreaterThanOrEqualTo(4_000);
    }
}
