package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Measure;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BadObservationsTest {
    private final AtomicLong now = new AtomicLong(10_000);
    private final BadObservations observations = new BadObservations(now::get);

    @Test
    void withoutTheFault_nothingIsObserved() {
        assertThat(observations.find(0, Measure.RUN_MILLIS, "job-1/g0")).isEmpty();
        assertThat(observations.waits(0, "m1")).isEmpty();
        assertThat(observations.lied()).isZero();
    }

    @Test
    void whileItLies_valuesAreZeroAndHugeAndOld() {
        observations.lie(true);
        Set<Long> values = new HashSet<>();
        Set<Double> waits = new HashSet<>();
        Set<Double> made = new HashSet<>();
        for (int place = 0; place < 100; place++) {
            values.add(observations
                    .find(0, Measure.RUN_MILLIS, "job-" + place + "/g0")
                    .orElseThrow()
                    .value());
            waits.add(observations.waits(0, "m" + place).orElseThrow().waitSeconds(250, 256));
            made.add(observations.waits(0, "m" + place).orElseThrow().madeAtSeconds());
        }
        assertThat(values).contains(0L, 1L).hasSize(3);
        assertThat(waits).contains(0.0, Double.POSITIVE_INFINITY);
        assertThat(made).contains(10.0, 3_610.0, -3_590.0);
        assertThat(observations.lied()).isEqualTo(300);
        observations.lie(false);
        assertThat(observations.waits(0, "m1")).isEmpty();
    }
}
