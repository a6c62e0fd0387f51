package dev.cella.simulator.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduler.batch.fair.FairSchedulerProvider;
import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.engine.SchedulerChoice;
import dev.cella.simulator.engine.SchedulerRow;
import dev.cella.simulator.experiment.SingleServerQueue;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.Workload;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A fair scheduler alone, which plans one job at a time, is the queue M/G/1. */
class FairAloneTest {
    @Test
    void fairSchedulerAlone_isBusyAndWaitsAsTheQueueDoes() {
        DecisionTime decisionTime = DecisionTime.ofSeconds(1, 0.005);
        RunParameters run = RunParameters.of("replicated", ReferenceCell.A)
                .withGeometry(new Geometry(2_000, 4000, 16_384, 1100, 1536, 0))
                .withDecisionTimes(decisionTime, decisionTime)
                .withBatch(setUp ->
                        setUp.withSchedulers(new SchedulerChoice(1, "fair", new TreeMap<>(Map.of("jobsPerPool", "1")))))
                .withService(setUp -> setUp.withMeans(setUp.means().withJobsPerSecond(0)))
                .lasting(0.5, 1);
        SingleServerQueue theory = SingleServerQueue.of(run, Workload.BATCH);

        SchedulerRow row = new Replicated(List.of(new FairSchedulerProvider(), new BatchSchedulerProvider()))
                .run(run, RunWork.of(run, List.of()), RunProgress.UNHEARD)
                .row(Workload.BATCH);

        assertThat(row.busyFraction()).isCloseTo(theory.busyFraction(), within(0.02 * theory.busyFraction()));
        assertThat(row.meanWaitFirstAttemptSeconds().orElseThrow())
                .isCloseTo(theory.meanWaitSeconds(), within(0.1 * theory.meanWaitSeconds()));
        assertThat(row.jobsAbandoned()).isZero();
    }
}
