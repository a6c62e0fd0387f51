package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SampleRun;
import dev.cella.transactions.model.JobHeader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The changes that an explanation names let one more task be placed, and nothing less does. */
class HelpTest {
    @Test
    void roomThatIsNamed_isEnough_andLessIsNot() {
        assertThat(helps(cell(4_000), job("mine", 1_500))).contains("500 cpuMilli more on m0");
        assertThat(pendingWith(cell(4_499))).isEqualTo(1);
        assertThat(pendingWith(cell(4_500))).isZero();
    }

    @Test
    void evictionsThatAreNamed_areTheFewest() {
        assertThat(helps(cell(4_000), job("mine", 2_500)))
                .contains("the eviction of 2 tasks of priority 50 or less on m0");
    }

    /** m1 comes nearer to holding the task, but three tasks would have to go there. On m0 it is one. */
    @Test
    void evictionsThatAreNamed_areTheFewestOfAllMachines() {
        SampleCell cell = SampleCell.of(2, 4_000, 8_192);
        cell.fill(ofOthers(SampleCell.batch("large", 1, 3_900, 64)));
        cell.fill(ofOthers(SampleCell.batch("small", 3, 1_000, 64)));
        assertThat(helps(cell, job("mine", 3_500)))
                .contains("the eviction of 1 task of priority 50 on m0")
                .anyMatch(help -> help.endsWith("more on m1"));
    }

    @Test
    void quotaThatIsNamed_isEnough() {
        SampleCell cell = SampleCell.of(1, 4_000, 8_192).limit("default", 1_200, 8_192);
        assertThat(helps(cell, job("mine", 1_500))).containsExactly("300 cpuMilli more quota in pool default");
        cell.limit("default", 1_500, 8_192);
        assertThat(pending(cell)).isZero();
    }

    /** The sum of what both limits lack, and of what is used above a limit. */
    @Test
    void quotaOfSeveralPools_isNamedWhole() {
        SampleCell cell =
                SampleCell.of(1, 4_000, 8_192).limit("research", 1_400, 8_192).limit("research/vision", 1_200, 32);
        assertThat(helps(cell, inPool("mine", "research/vision", 1_500)))
                .containsExactly("100 cpuMilli more quota in pool research"
                        + " and 300 cpuMilli more quota in pool research/vision"
                        + " and 32 memoryMib more quota in pool research/vision");
        cell.limit("research/vision", 1_500, 64).limit("research", 1_499, 8_192);
        assertThat(pending(cell)).isEqualTo(1);
        cell.limit("research", 1_500, 8_192);
        assertThat(pending(cell)).isZero();
    }

    @Test
    void quotaOfAPoolAboveItsLimit_isNamedWhole() {
        SampleCell cell = SampleCell.of(1, 4_000, 8_192);
        cell.fill(ofOthers(SampleCell.batch("others", 1, 2_000, 64)));
        cell.limit("default", 500, 8_192);
        assertThat(helps(cell, job("mine", 1_000))).containsExactly("2500 cpuMilli more quota in pool default");
        cell.limit("default", 3_000, 8_192);
        assertThat(pending(cell)).isZero();
    }

    @Test
    void taskThatFitsNoMachine_isHelpedByNoEviction() {
        assertThat(helps(cell(4_000), job("mine", 9_000))).noneMatch(help -> help.contains("eviction"));
    }

    private static int pendingWith(SampleCell cell) {
        cell.submit(job("mine", 1_500));
        return pending(cell);
    }

    private static int pending(SampleCell cell) {
        SampleRun.of(scheduler(), cell).run();
        return cell.view().job("mine").orElseThrow().pending();
    }

    /** One machine, on which three tasks of another scheduler leave one core of four. */
    private static SampleCell cell(long cpuMilli) {
        SampleCell cell = SampleCell.of(1, cpuMilli, 8_192);
        cell.fill(ofOthers(SampleCell.batch("others", 3, 1_000, 64)));
        return cell;
    }

    private static JobHeader ofOthers(JobHeader job) {
        return with(job, "others", job.pool());
    }

    private static JobHeader inPool(String name, String pool, long cpuMilli) {
        JobHeader job = job(name, cpuMilli);
        return with(job, job.scheduler(), pool);
    }

    private static JobHeader with(JobHeader job, String scheduler, String pool) {
        return new JobHeader(
                job.name(),
                job.type(),
                scheduler,
                pool,
                job.priority(),
                job.atomicity(),
                job.conflictRule(),
                job.groups());
    }

    private static List<String> helps(SampleCell cell, JobHeader job) {
        cell.submit(job);
        SampleRun run = SampleRun.of(scheduler(), cell).run();
        return run.status().jobs().get(0).unplaced().get(0).helps();
    }

    private static Scheduler<?> scheduler() {
        return new TaskByTask(Choice.FIRST_FIT).scheduler();
    }

    private static JobHeader job(String name, long cpuMilli) {
        return SampleCell.batch(name, 1, cpuMilli, 64);
    }
}
