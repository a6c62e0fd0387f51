package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SampleRun;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.TaskState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which tasks are evicted for a task that finds no room. */
class PreemptionTest {
    private static final String OTHERS = "others";

    @Test
    void victims_areAsFewAsLetTheClaimIn() {
        SampleCell cell = SampleCell.of(2, 4_000, 8_192);
        cell.fill(job("small", 10, 4, 1_000));
        cell.fill(job("large", 10, 2, 2_000));
        run(cell, job("mine", 50, 1, 2_000));
        assertThat(onMachines(cell, "mine")).isEqualTo(1);
        assertThat(onMachines(cell, "small")).isEqualTo(4);
        assertThat(onMachines(cell, "large")).isEqualTo(1);
    }

    @Test
    void victims_areTheLeastImportant_andThenTheYoungest() {
        SampleCell cell = SampleCell.of(3, 2_000, 8_192);
        cell.fill(job("middle", 20, 1, 2_000));
        cell.fill(job("older", 10, 1, 2_000));
        cell.fill(job("younger", 10, 1, 2_000));
        run(cell, job("mine", 50, 1, 1_000));
        assertThat(onMachines(cell, "younger")).isZero();
        assertThat(onMachines(cell, "older")).isEqualTo(1);
        assertThat(onMachines(cell, "middle")).isEqualTo(1);
    }

    @Test
    void victimThatDoesNotHelp_stays() {
        SampleCell cell = SampleCell.of(1, 4_000, 8_192);
        cell.fill(job("tiny", 1, 1, 500));
        cell.fill(job("large", 10, 1, 3_500));
        run(cell, job("mine", 50, 1, 3_500));
        assertThat(onMachines(cell, "tiny")).isEqualTo(1);
        assertThat(onMachines(cell, "large")).isZero();
    }

    @Test
    void nobody_isEvictedWhereThatIsNotEnough() {
        SampleCell cell = SampleCell.of(1, 4_000, 8_192);
        cell.fill(job("low", 1, 1, 1_000));
        cell.fill(job("high", 90, 1, 3_000));
        run(cell, job("mine", 50, 1, 2_000));
        assertThat(onMachines(cell, "low")).isEqualTo(1);
        assertThat(onMachines(cell, "mine")).isZero();
    }

    @Test
    void equalPriority_isEvictedOnlyByRights() {
        SampleCell cell = SampleCell.of(1, 4_000, 8_192);
        cell.fill(job("equal", 50, 4, 1_000));
        SampleRun run = run(cell, job("mine", 50, 1, 1_000));
        assertThat(onMachines(cell, "mine")).isZero();
        cell.rights(SampleCell.SCHEDULER, evicts(Rights.Evicts.ANY));
        cell.submit(own("next", 50, 1, 1_000));
        run.run();
        assertThat(onMachines(cell, "equal")).isLessThan(4);
    }

    @Test
    void schedulerThatMayEvictNothing_waits() {
        SampleCell cell = SampleCell.of(1, 4_000, 8_192);
        cell.rights(SampleCell.SCHEDULER, evicts(Rights.Evicts.NOTHING));
        cell.fill(job("low", 1, 4, 1_000));
        run(cell, job("mine", 50, 1, 1_000));
        assertThat(onMachines(cell, "low")).isEqualTo(4);
    }

    @Test
    void gang_preemptsWholeOrNotAtAll() {
        SampleCell cell = SampleCell.of(2, 4_000, 8_192);
        cell.fill(job("low", 1, 4, 1_000));
        cell.fill(job("high", 90, 4, 1_000));
        run(cell, gang("five", 5));
        assertThat(onMachines(cell, "low")).isEqualTo(4);
        run(cell, gang("four", 4));
        assertThat(onMachines(cell, "four")).isEqualTo(4);
        assertThat(onMachines(cell, "low")).isZero();
    }

    @Test
    void gang_preemptsForThoseThatFindNoRoom() {
        SampleCell cell = SampleCell.of(2, 4_000, 8_192);
        cell.fill(job("low", 1, 6, 1_000));
        run(cell, gang("four", 4));
        assertThat(onMachines(cell, "four")).isEqualTo(4);
        assertThat(onMachines(cell, "low")).isEqualTo(4);
    }

    /** Its claims in free room and its claims with evictions are one transaction, which has at most 10,000 items. */
    @Test
    void gang_thatNeedsMoreItemsThanATransactionHas_evictsNobody() {
        SampleCell cell = SampleCell.of(85, 100_000, 8_192);
        cell.fill(job("low", 1, 2_500, 1_000));
        run(cell, gang("large", 8_500));
        assertThat(onMachines(cell, "low")).isEqualTo(2_500);
        assertThat(onMachines(cell, "large")).isZero();
    }

    @Test
    void gang_isAnExpensiveVictim() {
        SampleCell cell = SampleCell.of(2, 4_000, 8_192);
        cell.fill(owned(gang("together", 4), 1));
        cell.fill(job("alone", 30, 4, 1_000));
        run(cell, job("mine", 50, 2, 1_000));
        assertThat(onMachines(cell, "together")).isEqualTo(4);
        assertThat(onMachines(cell, "alone")).isEqualTo(2);
    }

    @Test
    void victims_areTriedAgain_andNobodyGoesInCircles() {
        SampleCell cell = SampleCell.of(2, 4_000, 8_192);
        cell.submit(own("low", 10, 8, 1_000));
        SampleRun run = SampleRun.of(scheduler(), cell).run();
        cell.submit(own("high", 60, 6, 1_000));
        run.run();
        assertThat(onMachines(cell, "high")).isEqualTo(6);
        assertThat(onMachines(cell, "low")).isEqualTo(2);
        assertThat(cell.view().job("low").orElseThrow().pending()).isEqualTo(6);
        assertThat(victim(cell).attempt()).isEqualTo(2);
    }

    private static TaskRow victim(SampleCell cell) {
        for (int index = 0; index < 8; index++) {
            TaskRow task = cell.view().task(cell.view().job("low").orElseThrow().group(0), index);
            if (task.state() == TaskState.PENDING) {
                return task;
            }
        }
        throw new AssertionError("nobody was preempted");
    }

    private static Scheduler<?> scheduler() {
        return Preempting.of(new TaskByTask(Choice.FIRST_FIT), options()).scheduler();
    }

    private static SchedulerOptions options() {
        return SchedulerOptions.of(List.of(Preempting.OPTION), Map.of());
    }

    private static SampleRun run(SampleCell cell, JobHeader job) {
        cell.submit(withScheduler(job, SampleCell.SCHEDULER, job.priority()));
        return SampleRun.of(scheduler(), cell).runUntil(20_000);
    }

    private static int onMachines(SampleCell cell, String job) {
        return cell.view().job(job).orElseThrow().counts().onMachines();
    }

    private static Rights evicts(Rights.Evicts evicts) {
        return new Rights(JobHeader.PRIORITY_MAX, List.of(), true, evicts);
    }

    private static JobHeader gang(String name, int tasks) {
        Gang gang = new Gang(tasks, 1_000_000, Gang.Restarts.ALL);
        GroupHeader group = new GroupHeader(
                "main", tasks, Amounts.of(1_000, 64), Restart.BATCH, 0, 0, OnLost.REPLACE, Optional.of(gang));
        return job(name, 50, tasks, 1_000).withGroups(List.of(group));
    }

    private static JobHeader owned(JobHeader job, int priority) {
        return withScheduler(job, OTHERS, priority);
    }

    private static JobHeader own(String name, int priority, int tasks, long cpuMilli) {
        return withScheduler(job(name, priority, tasks, cpuMilli), SampleCell.SCHEDULER, priority);
    }

    private static JobHeader job(String name, int priority, int tasks, long cpuMilli) {
        return withScheduler(SampleCell.batch(name, tasks, cpuMilli, 64), OTHERS, priority);
    }

    private static JobHeader withScheduler(JobHeader job, String scheduler, int priority) {
        return new JobHeader(
                job.name(),
                job.type(),
                scheduler,
                job.pool(),
                priority,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                job.groups());
    }
}
