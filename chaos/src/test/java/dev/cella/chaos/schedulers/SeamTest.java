package dev.cella.chaos.schedulers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.conformance.ConformanceKit;
import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SampleRun;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.TaskState;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The six schedulers pass the conformance kit, and each does what it is for. */
class SeamTest {
    @ParameterizedTest
    @MethodSource("dev.cella.chaos.schedulers.Six#schedulers")
    void conforms(Supplier<Scheduler<?>> schedulers) {
        ConformanceKit.of(schedulers).check();
    }

    @Test
    void fairHeads_givesEachPoolTheSame_whateverItsPriorities() {
        SampleCell cell = SampleCell.of(2, 6_000, 8_192);
        cell.submit(in("rich", SampleCell.batch("rich", 20, 1_000, 64), 90));
        cell.submit(in("poor", SampleCell.batch("poor", 20, 1_000, 64), 10));
        SampleRun.of(new FairHeads(), cell).run();
        assertThat(onMachines(cell, "rich")).isEqualTo(6);
        assertThat(onMachines(cell, "poor")).isEqualTo(6);
    }

    @Test
    void preemptor_evictsOnlyWhatIsLessImportant_andNoMoreThanItNeeds() {
        SampleCell cell = SampleCell.of(2, 4_000, 8_192);
        cell.fill(owned("others", in("default", SampleCell.batch("low", 4, 1_000, 64), 10)));
        cell.fill(owned("others", in("default", SampleCell.batch("high", 4, 1_000, 64), 80)));
        cell.submit(SampleCell.batch("mine", 6, 1_000, 64));
        SampleRun.of(new Preemptor(), cell).run();
        assertThat(onMachines(cell, "mine")).isEqualTo(4);
        assertThat(onMachines(cell, "low")).isZero();
        assertThat(onMachines(cell, "high")).isEqualTo(4);
    }

    @Test
    void partition_usesItsOwnMachinesOnly() {
        SampleCell cell = SampleCell.of(4, 4_000, 8_192);
        cell.submit(SampleCell.batch("j", 20, 1_000, 64));
        SampleRun run = SampleRun.of(new Partition(slot -> slot < 2), cell).run();
        assertThat(IntStream.range(0, 4).map(cell.view()::tasksOn)).containsExactly(4, 4, 0, 0);
        assertThat(run.status().jobs().get(0).unplaced().get(0).sentence())
                .contains("2 machines lack cpuMilli")
                .contains("2 excluded by the machines its scheduler plans on");
    }

    @Test
    void roller_replacesOneTaskAfterAnother_andEndsWithTheNewGeneration() {
        SampleCell cell = SampleCell.of(3, 4_000, 8_192).withTasksThatRun(1_000);
        cell.submit(service(SampleCell.batch("web", 5, 1_000, 64)));
        SampleRun run = SampleRun.of(new Roller(), cell).run();
        cell.update(service(SampleCell.batch("web", 5, 1_000, 128)));
        run.run();
        JobRow job = cell.view().job("web").orElseThrow();
        GroupRow group = job.group(0);
        assertThat(IntStream.range(0, 5).mapToObj(index -> cell.view().task(group, index)))
                .allMatch(task -> task.state() == TaskState.RUNNING)
                .extracting(TaskRow::generation)
                .containsOnly(2);
    }

    @Test
    void batchMatcher_plansManyJobsInOnePlan() {
        SampleCell cell = SampleCell.of(4, 4_000, 8_192);
        for (int job = 0; job < 10; job++) {
            cell.submit(SampleCell.batch("j" + job, 1, 1_000, 64));
        }
        SampleRun run = SampleRun.of(new BatchMatcher(), cell).run();
        assertThat(run.status().counters().plans()).isEqualTo(1);
        assertThat(run.status().counters().claimsAccepted()).isEqualTo(10);
    }

    @Test
    void twoCellSpreader_movesWhatFindsNoRoomToTheOtherCell() {
        SampleCell small = SampleCell.of(1, 4_000, 8_192);
        SampleCell large = SampleCell.of(4, 4_000, 8_192);
        small.submit(SampleCell.batch("web", 8, 1_000, 64));
        large.submit(SampleCell.batch("web", 1, 1_000, 64));
        SampleRun.of(new TwoCellSpreader(), small, large).run();
        assertThat(onMachines(small, "web")).isEqualTo(4);
        assertThat(onMachines(large, "web")).isEqualTo(5);
        assertThat(small.view().job("web").orElseThrow().pending()).isZero();
    }

    @Test
    void jobThatSleeps_isWokenWhenTheOtherCellGainsRoom() {
        SampleCell small = SampleCell.of(1, 4_000, 8_192);
        SampleCell large = SampleCell.of(1, 1_000, 8_192);
        small.submit(SampleCell.batch("web", 8, 1_000, 64));
        large.submit(SampleCell.batch("web", 1, 1_000, 64));
        SampleRun run = SampleRun.of(new TwoCellSpreader(), small, large).run();
        assertThat(pending(small) + pending(large)).isEqualTo(4);
        large.machine("late", 4_000, 8_192);
        run.run();
        assertThat(onMachines(large, "web")).isEqualTo(5);
        assertThat(pending(small)).isZero();
    }

    @Test
    void jobThatSleeps_isMovedWhenItsTwinComesLate() {
        SampleCell small = SampleCell.of(1, 4_000, 8_192);
        SampleCell large = SampleCell.of(4, 4_000, 8_192);
        small.submit(SampleCell.batch("web", 8, 1_000, 64));
        SampleRun run = SampleRun.of(new TwoCellSpreader(), small, large).run();
        large.submit(SampleCell.batch("web", 1, 1_000, 64));
        run.run();
        assertThat(onMachines(large, "web")).isEqualTo(5);
        assertThat(small.view().job("web").orElseThrow().pending()).isZero();
    }

    @Test
    void time_passesAndTasksEnd() {
        SampleCell cell = SampleCell.of(1, 4_000, 8_192).withTasksThatRun(1_000);
        cell.submit(SampleCell.batch("j", 12, 1_000, 64));
        SampleRun.of(new BatchMatcher(), cell).run();
        assertThat(cell.view().job("j").orElseThrow().state()).isEqualTo(JobState.FINISHED);
        assertThat(cell.time().millis()).isGreaterThanOrEqualTo(4_000);
    }

    private static int pending(SampleCell cell) {
        return cell.view().job("web").orElseThrow().pending();
    }

    private static int onMachines(SampleCell cell, String job) {
        return cell.view().job(job).orElseThrow().counts().onMachines();
    }

    private static JobHeader in(String pool, JobHeader job, int priority) {
        return new JobHeader(
                job.name(),
                job.type(),
                job.scheduler(),
                pool,
                priority,
                job.atomicity(),
                job.conflictRule(),
                job.groups());
    }

    private static JobHeader owned(String scheduler, JobHeader job) {
        return new JobHeader(
                job.name(),
                job.type(),
                scheduler,
                job.pool(),
                job.priority(),
                job.atomicity(),
                job.conflictRule(),
                job.groups());
    }

    private static JobHeader service(JobHeader job) {
        return new JobHeader(
                job.name(),
                JobType.SERVICE,
                job.scheduler(),
                job.pool(),
                job.priority(),
                job.atomicity(),
                job.conflictRule(),
                job.groups());
    }
}
