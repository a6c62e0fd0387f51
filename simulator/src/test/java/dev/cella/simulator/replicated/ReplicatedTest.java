package dev.cella.simulator.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.FifoQueue;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.ImpossibleParameterException;
import dev.cella.simulator.engine.Modes;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.engine.SchedulerChoice;
import dev.cella.simulator.engine.SchedulerRow;
import dev.cella.simulator.monolithic.Monolithic;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.Workload;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.TaskState;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReplicatedTest {
    private static final Replicated REPLICATED = new Replicated(List.of(new BatchSchedulerProvider()));

    private static RunResult run(RunParameters parameters, Trace... traces) {
        return REPLICATED.run(parameters, RunWork.of(parameters, List.of(traces)), RunProgress.UNHEARD);
    }

    private static RunParameters cellA() {
        return RunParameters.of("replicated", ReferenceCell.A);
    }

    /** Service jobs ten times as often, and a service scheduler that thinks for half a minute: it is nearly saturated. */
    private static RunParameters contended(Atomicity atomicity, ConflictRule rule) {
        return cellA().withService(setUp -> setUp.withMeans(setUp.means().withJobsPerSecond(0.01)))
                .withDecisionTimes(cellA().batch().decisionTime(), DecisionTime.parse("30s+5ms*tasks"))
                .withModes(new Modes(atomicity, rule))
                .lasting(0.15, 1);
    }

    @Test
    void sameSeed_sameResult_andAnotherSeedAnother() {
        RunParameters parameters =
                contended(Atomicity.INCREMENTAL, ConflictRule.RESOURCE).lasting(0.05, 3);

        RunResult first = run(parameters);

        assertThat(run(parameters)).isEqualTo(first);
        assertThat(run(parameters.lasting(0.05, 4))).isNotEqualTo(first);
    }

    /** FACTS: "Order to hold in every run: RESOURCE below MACHINE; incremental below all-or-nothing; batch unaffected." */
    @Test
    void modes_conflictInTheOrderOfFigure65() {
        RunResult resource = run(contended(Atomicity.INCREMENTAL, ConflictRule.RESOURCE));
        RunResult machine = run(contended(Atomicity.INCREMENTAL, ConflictRule.MACHINE));
        RunResult gangResource = run(contended(Atomicity.ALL_OR_NOTHING, ConflictRule.RESOURCE));
        RunResult gangMachine = run(contended(Atomicity.ALL_OR_NOTHING, ConflictRule.MACHINE));

        assertThat(serviceConflicts(resource)).isPositive().isLessThan(serviceConflicts(machine));
        assertThat(serviceConflicts(gangResource)).isLessThan(serviceConflicts(gangMachine));
        assertThat(serviceConflicts(resource)).isLessThan(serviceConflicts(gangResource));
        assertThat(serviceConflicts(machine)).isLessThan(serviceConflicts(gangMachine));
        for (RunResult result : List.of(resource, machine, gangResource, gangMachine)) {
            assertThat(result.row(Workload.BATCH).conflictFraction().orElseThrow())
                    .isLessThan(0.01);
            assertThat(result.row(Workload.BATCH).busyFraction())
                    .isCloseTo(resource.row(Workload.BATCH).busyFraction(), within(0.001));
        }
    }

    private static double serviceConflicts(RunResult result) {
        return result.row(Workload.SERVICE).conflictFraction().orElseThrow();
    }

    @Test
    void unlikeOneScheduler_batchDoesNotWaitForService() {
        RunParameters parameters = contended(Atomicity.INCREMENTAL, ConflictRule.RESOURCE);
        RunResult oneScheduler =
                Monolithic.MULTI_PATH.run(parameters, RunWork.of(parameters, List.of()), RunProgress.UNHEARD);

        RunResult replicated = run(parameters);

        assertThat(replicated.row(Workload.BATCH).jobsSubmitted())
                .isEqualTo(oneScheduler.row(Workload.BATCH).jobsSubmitted());
        assertThat(replicated.cpuUtilisation()).isCloseTo(oneScheduler.cpuUtilisation(), within(0.005));
        assertThat(batchWaitSeconds(replicated)).isLessThan(batchWaitSeconds(oneScheduler) / 100);
    }

    private static double batchWaitSeconds(RunResult result) {
        return result.row(Workload.BATCH).meanWaitFirstAttemptSeconds().orElseThrow();
    }

    @Test
    void severalSchedulers_shareTheJobsOfAWorkload() {
        SchedulerChoice three = new SchedulerChoice(3, "batch", new TreeMap<>());
        RunParameters parameters =
                cellA().withBatch(setUp -> setUp.withSchedulers(three)).lasting(0.05, 1);

        List<SchedulerRow> rows = run(parameters).schedulers();

        assertThat(rows).extracting(SchedulerRow::name).containsExactly("batch-1", "batch-2", "batch-3", "service");
        int jobs = run(cellA().lasting(0.05, 1)).row(Workload.BATCH).jobsSubmitted();
        assertThat(rows.subList(0, 3).stream().mapToInt(SchedulerRow::jobsSubmitted))
                .allMatch(share -> Math.abs(share - jobs / 3) <= 1);
    }

    /** So memory is for what lives, however long the run. */
    @Test
    void jobsThatHaveEnded_areForgotten() {
        RunParameters parameters = cellA().lasting(0.1, 1);

        ReplicatedCell cell = REPLICATED.simulate(parameters, RunWork.of(parameters, List.of()), RunProgress.UNHEARD);

        long prefilled = parameters.geometry().prefillTasks();
        assertThat(cell.result().placements()).isGreaterThan(10_000);
        assertThat(cell.view().jobs()).noneMatch(JobRow::isEnded);
        assertThat(tasksKnown(cell.view()) - prefilled).isBetween(1L, 5_000L);
    }

    private static long tasksKnown(CellView view) {
        return Arrays.stream(TaskState.values())
                .mapToLong(state -> view.taskCounts().of(state))
                .sum();
    }

    @Test
    void schedulerType_thatIsUnknown_isRefused() {
        RunParameters parameters =
                cellA().withService(setUp -> setUp.withSchedulers(new SchedulerChoice(1, "spread", new TreeMap<>())));

        assertThatThrownBy(() -> run(parameters))
                .isInstanceOf(ImpossibleParameterException.class)
                .hasMessage("there is no scheduler type spread");
    }

    @Test
    void jobThatCanNeverBePlacedWhole_isAbandonedAfterAHundredAttempts_andWhatRunsRunsOn() {
        SimulatedJob tooLarge = new SimulatedJob(Workload.BATCH, 0, 0, 7, 3_600_000_000_000L);
        SimulatedJob later = new SimulatedJob(Workload.BATCH, 1, 60_000_000_000L, 1, 1_000_000_000L);
        RunParameters parameters = cellA().withGeometry(new Geometry(2, 4000, 16_384, 1100, 1536, 0))
                .lasting(0.1, 1);

        RunResult result = run(parameters, new Trace.Arrivals(List.of(tooLarge, later)));

        SchedulerRow row = result.row(Workload.BATCH);
        assertThat(row.jobsAbandoned()).isEqualTo(2);
        assertThat(row.claimsAccepted()).isEqualTo(6);
        assertThat(row.jobsQueued()).isZero();
        assertThat(result.cpuUtilisation()).isCloseTo(6 * 1.1 * 3600 / (8 * 8640), within(0.001));
    }

    /** Each counts its jobs from 0, and a number names a job. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void jobsOfTwoTraces_areDifferentJobs(int tasksOfTheOther) {
        SimulatedJob one = new SimulatedJob(Workload.BATCH, 0, 0, 2, 3_600_000_000_000L);
        SimulatedJob other = new SimulatedJob(Workload.BATCH, 0, 60_000_000_000L, tasksOfTheOther, 3_600_000_000_000L);

        RunResult result =
                run(cellA().lasting(0.1, 1), new Trace.Arrivals(List.of(one)), new Trace.Arrivals(List.of(other)));

        assertThat(result.placements()).isEqualTo(2 + tasksOfTheOther);
        assertThat(result.jobs().ended()).isEqualTo(2);
    }

    /** With one-slot workers and no time to decide it is a queue with many servers, which is easily computed otherwise. */
    @Test
    void traceOnOneSlotWorkers_waitsExactlyAsAFifoQueueDoes() {
        FifoQueue queue = new FifoQueue(13, 2000, 11);
        RunParameters parameters = cellA().withGeometry(queue.geometry())
                .withDecisionTimes(DecisionTime.parse("0s"), DecisionTime.parse("0s"))
                .lasting(30, 11);

        SchedulerRow row = run(parameters, queue.trace()).row(Workload.BATCH);

        assertThat(row.jobsFullyScheduled()).isEqualTo(2000);
        assertThat(row.meanWaitFullyScheduledSeconds()).hasValue(queue.meanWaitSeconds());
    }
}
