package dev.cella.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.bench.plan.WaitingJob.Asks;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that it measures what it claims; a test cannot judge the speed. */
class PlanBenchTest {
    private static final int MACHINES = 200;

    @Test
    void attempt_placesAllTasks() {
        for (Asks asks : Asks.values()) {
            WaitingJob job = new WaitingJob(MACHINES, asks, 1);
            assertThat(job.plan())
                    .singleElement()
                    .satisfies(proposal ->
                            assertThat(proposal.transaction().claims()).isEqualTo(WaitingJob.TASKS));
            assertThat(job.plan()).as("the one before was thrown away").hasSize(1);
        }
    }

    @Test
    void figures_areThereForEachLoadAndTheBound() {
        PlanFigures figures = new PlanBench(1, Duration.ofMillis(1)).measure(MACHINES);
        assertThat(figures.machines()).isEqualTo(MACHINES);
        assertThat(figures.room()).isPositive();
        assertThat(figures.constrained()).isPositive();
        assertThat(figures.relabelled()).isPositive();
        assertThat(figures.bare()).isPositive();
        assertThat(figures.constrainedMicros()).isPositive();
    }

    @Test
    void noRounds_areRefused() {
        assertThatThrownBy(() -> new PlanBench(0, Duration.ofSeconds(1))).isInstanceOf(IllegalArgumentException.class);
    }
}
