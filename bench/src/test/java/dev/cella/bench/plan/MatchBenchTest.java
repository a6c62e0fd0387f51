package dev.cella.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MatchBenchTest {
    @Test
    void tasks_areMatchedToMoreThanHalfAsManyMachines() {
        MatchFigures figures = new MatchBench(3).measure(400, 20);
        assertThat(figures.machines()).isEqualTo(400);
        assertThat(figures.matched()).isBetween(10, 20);
        assertThat(figures.medianSeconds()).isPositive().isLessThanOrEqualTo(figures.maxSeconds());
    }

    @Test
    void noTimes_isRefused() {
        assertThatThrownBy(() -> new MatchBench(0)).hasMessageContaining("at least once");
    }
}
