package dev.cella.simulator.monolithic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cella.simulator.engine.DecisionTime;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.Progress;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.engine.SchedulerRow;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class MonolithicTest {
    private static RunResult run(Monolithic architecture, RunParameters parameters, List<Trace> traces) {
        return architecture.run(parameters, RunWork.of(parameters, traces), Progress.UNHEARD);
    }

    private static RunParameters cellA() {
        return RunParameters.of("monolithic-multipath", ReferenceCell.A);
    }

    @Test
    void sameSeed_sameResult_andAnotherSeedAnother() {
        RunParameters parameters = cellA().lasting(0.1, 5);

        RunResult first = run(Monolithic.MULTI_PATH, parameters, List.of());

        assertThat(run(Monolithic.MULTI_PATH, parameters, List.of())).isEqualTo(first);
        assertThat(run(Monolithic.MULTI_PATH, parameters.lasting(0.1, 6), List.of()))
                .isNotEqualTo(first);
    }

    @Test
    void emptyQueueOfWork_leavesTheCellPrefilled() {
        RunParameters parameters = cellA().lasting(0.01, 1)
                .withMeans(
                        cellA().batch().withJobsPerSecond(0), cellA().service().withJobsPerSecond(0));

        RunResult result = run(Monolithic.SINGLE_PATH, parameters, List.of());

        assertThat(result.cpuUtilisation()).isCloseTo(0.6, within(0.0001));
        assertThat(result.placements()).isZero();
        assertThat(result.row(Workload.BATCH).meanWaitFirstAttemptSeconds()).isEmpty();
        assertThat(result.row(Workload.BATCH).conflictFraction()).isEmpty();
    }

    @Test
    void jobThatCanNeverBePlacedWhole_isAbandonedAfterAHundredAttempts() {
        SimulatedJob tooLarge = new SimulatedJob(Workload.BATCH, 0, 0, 7, Long.MAX_VALUE / 2);
        RunParameters parameters = cellA().withGeometry(new Geometry(2, 4000, 16_384, 1100, 1536, 0))
                .lasting(1, 1);

        SchedulerRow row = run(Monolithic.SINGLE_PATH, parameters, List.of(new Trace.Arrivals(List.of(tooLarge))))
                .row(Workload.BATCH);

        assertThat(row.jobsAbandoned()).isEqualTo(1);
        assertThat(row.claimsAccepted()).isEqualTo(6);
        double firstSeconds = 0.1 + 7 * 0.005;
        double eachSeconds = 0.1 + 0.005;
        assertThat(row.busyFraction() * 86_400).isCloseTo(firstSeconds + 100 * eachSeconds, within(1e-6));
        assertThat(row.wastedBusyFraction() * 86_400).isCloseTo(100 * eachSeconds, within(1e-6));
    }

    /** With one-slot workers and no time to decide it is a queue with many servers, which is easily computed otherwise. */
    @Test
    void traceOnOneSlotWorkers_waitsExactlyAsAFifoQueueDoes() {
        long seed = 11;
        int workers = 13;
        List<SimulatedJob> jobs = jobsFor(workers, new Random(seed));
        RunParameters parameters = cellA().withGeometry(new Geometry(workers, 1000, 1024, 1000, 1024, 0))
                .withDecisionTimes(DecisionTime.parse("0s"), DecisionTime.parse("0s"))
                .lasting(30, seed);

        SchedulerRow row = run(Monolithic.SINGLE_PATH, parameters, List.of(new Trace.Arrivals(jobs)))
                .row(Workload.BATCH);

        assertThat(row.jobsFullyScheduled()).isEqualTo(jobs.size());
        assertThat(row.meanWaitFullyScheduledSeconds()).hasValue(meanWaitSeconds(jobs, workers));
    }

    private static List<SimulatedJob> jobsFor(int workers, Random random) {
        List<SimulatedJob> jobs = new ArrayList<>();
        long arrival = 0;
        for (int number = 0; number < 5000; number++) {
            long[] nanos =
                    random.longs(1 + random.nextInt(8), 1, 2_000_000_000L).toArray();
            jobs.add(new SimulatedJob(Workload.BATCH, number, arrival, nanos.length, new SimulatedJob.Each(nanos)));
            arrival += random.nextInt((int) (2 * 4.5 / 0.95 * 1_000_000_000L / workers));
        }
        return jobs;
    }

    /** The next task goes to the worker that is free first; a job waits until its last task has started. */
    private static double meanWaitSeconds(List<SimulatedJob> jobs, int workers) {
        PriorityQueue<Long> freeAt = new PriorityQueue<>();
        for (int worker = 0; worker < workers; worker++) {
            freeAt.add(0L);
        }
        double waits = 0;
        for (SimulatedJob job : jobs) {
            long start = job.submittedNanos();
            for (int task = 0; task < job.tasks(); task++) {
                start = Math.max(start, freeAt.remove());
                freeAt.add(start + job.times().nanos(task));
            }
            waits += start - job.submittedNanos();
        }
        return waits / jobs.size() / 1e9;
    }
}
