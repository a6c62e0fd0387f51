package dev.cella.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.monolithic.Monolithic;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.Workload;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SingleServerQueueTest {
    private static RunParameters parameters(ReferenceCell cell, double batchSeconds, double serviceSeconds) {
        return RunParameters.of("", cell)
                .withDecisionTimes(
                        DecisionTime.ofSeconds(batchSeconds, 0.005), DecisionTime.ofSeconds(serviceSeconds, 0.005));
    }

    /** FACTS: single-path saturates at t_job 4.47, 2.33 and 3.53 s, multi-path at 342, 99 and 809 s. */
    @ParameterizedTest
    @CsvSource({"A, 4.47, 342", "B, 2.33, 99", "C, 3.53, 809"})
    void saturation_isWhereItIsKnownToBe(ReferenceCell cell, double singlePathSeconds, double multiPathSeconds) {
        assertThat(SingleServerQueue.of(parameters(cell, singlePathSeconds, singlePathSeconds))
                        .busyFraction())
                .isCloseTo(1, within(0.005));
        assertThat(SingleServerQueue.of(parameters(cell, 0.1, multiPathSeconds)).busyFraction())
                .isCloseTo(1, within(0.005));
    }

    /** A week of cell A against theory, three seeds averaged; the scheduler's rows add up. */
    @ParameterizedTest
    @CsvSource({"SINGLE_PATH, 0.1", "SINGLE_PATH, 1", "SINGLE_PATH, 2.8", "MULTI_PATH, 10", "MULTI_PATH, 100"})
    void weekOfCellA_isWithinFivePercentOfTheory(Monolithic architecture, double serviceSeconds) {
        RunParameters parameters = architecture.adopt(parameters(ReferenceCell.A, 0.1, serviceSeconds));
        SingleServerQueue theory = SingleServerQueue.of(parameters);
        double busy = 0;
        double wait = 0;
        for (long seed = 1; seed <= 3; seed++) {
            RunParameters seeded = parameters.lasting(7, seed);
            RunResult result = architecture.run(seeded, RunWork.of(seeded, List.of()), RunProgress.UNHEARD);
            busy += result.busyFraction() / 3;
            wait += result.row(Workload.BATCH).meanWaitFirstAttemptSeconds().orElseThrow() / 3;
        }

        assertThat(theory.busyFraction()).isLessThan(0.7);
        assertThat(busy).isCloseTo(theory.busyFraction(), Percentage.withPercentage(5));
        assertThat(wait).isCloseTo(theory.meanWaitSeconds(), Percentage.withPercentage(5));
    }

    @Test
    void saturated_waitsForever() {
        SingleServerQueue queue = SingleServerQueue.of(parameters(ReferenceCell.A, 5, 5));

        assertThat(queue.meanWaitSeconds()).isInfinite();
    }
}
