package dev.cella.scheduler.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SampleRun;
import dev.cella.scheduling.placement.GroupLife;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.UpdatePolicy;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.TaskState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scheduler does about a service that is updated. */
class RollingUpdateTest {
    private static final long HEALTHY_AFTER = 1_000;
    private static final long DEADLINE = 20_000;
    private static final long STEP = 100;

    private final SampleCell cell = SampleCell.of(4, 4_000, 8_192).withTasksThatRun(1_000);
    private int leastRunning = Integer.MAX_VALUE;
    private int mostRunning;

    @Test
    void update_replacesAsManyAtOnceAsItMay_andEachWaitsToBeHealthy() {
        begin(policy(2, OptionalInt.empty(), 0));
        SampleRun run = start(6, 1_000);
        next(1_500, 2);
        run.runUntil(1_900);
        assertThat(generations()).filteredOn(generation -> generation == 2).hasSize(2);
        roll(run, 10_000);
        assertThat(generations()).containsOnly(2);
        assertThat(leastRunning).isEqualTo(6);
        assertThat(record().stable()).isEqualTo(2);
    }

    @Test
    void twoUpdatesInARow_areOneToTheNewer() {
        begin(policy(1, OptionalInt.empty(), 0));
        SampleRun run = start(4, 1_000);
        next(1_200, 2);
        run.runUntil(2_500);
        next(1_300, 3);
        roll(run, 30_000);
        assertThat(generations()).containsOnly(3);
        assertThat(attempts()).isLessThan(4 * 3);
    }

    @Test
    void anotherInstance_goesOnWhereTheFirstOneWas() {
        begin(policy(1, OptionalInt.empty(), 0));
        SampleRun run = start(4, 1_000);
        next(1_200, 2);
        run.runUntil(3_500);
        assertThat(generations()).contains(1, 2);
        roll(SampleRun.of(scheduler(), cell), 30_000);
        assertThat(generations()).containsOnly(2);
        assertThat(record().stable()).isEqualTo(2);
    }

    @Test
    void lostMachine_holdsTheUpdateBack_untilItsTasksAreHealthyAgain() {
        begin(policy(1, OptionalInt.empty(), 0));
        SampleRun run = start(6, 1_000);
        next(1_200, 2);
        run.runUntil(3_000);
        cell.lose("m0");
        roll(run, 40_000);
        assertThat(generations()).containsOnly(2).hasSize(6);
    }

    @Test
    void fullCell_isUpdatedInPlace_whereNoTaskCouldBeSpared() {
        begin(policy(1, OptionalInt.of(16), 0));
        SampleRun run = start(16, 1_000);
        next(1_000, 2);
        roll(run, 60_000);
        assertThat(generations()).containsOnly(2).hasSize(16);
        assertThat(count()).isEqualTo(16);
        assertThat(record().surges()).isEmpty();
    }

    @Test
    void roomForMore_keepsEveryTaskThatIsToStayHealthy() {
        begin(policy(1, OptionalInt.of(5), 0));
        SampleRun run = start(5, 1_000);
        next(1_200, 2);
        roll(run, 60_000);
        assertThat(generations()).containsOnly(2).hasSize(5);
        assertThat(mostRunning).isEqualTo(6);
        assertThat(leastRunning).isEqualTo(5);
    }

    /** Two groups lack a task for their update at once. Where the job may have one more, first one of them gets it, then the other. */
    @ParameterizedTest
    @CsvSource({"99991, 1, 4", "99991, 2, 4", "99992, 1, 3"})
    void jobWithHardlyRoomForMoreTasks_isUpdated(int others, int maxParallel, int least) {
        UpdatePolicy policy = policy(maxParallel, OptionalInt.of(4), 0);
        SampleRun run = beginThreeGroups(others, policy);
        int healthy = Math.min(runUntilUpdated(run, 0), runUntilUpdated(run, 1));
        assertThat(healthy).isEqualTo(least);
        run.runUntil(cell.time().millis() + 2 * HEALTHY_AFTER);
        assertThat(job().header().tasks()).isEqualTo(others + 8);
        assertThat(record().stable()).isEqualTo(2);
    }

    @Test
    void canaryThatIsTheOnlyTaskMore_waitsForItsPromotionWithTheOtherGroups() {
        SampleRun run = beginThreeGroups(99_991, policy(1, OptionalInt.of(4), 1));
        run.runUntil(60_000);
        assertThat(job().generation()).isEqualTo(2);
        assertThat(run.status().jobs().get(0).note().orElseThrow()).contains("promote");
    }

    /** An update of three groups, of which the third does not change. */
    private SampleRun beginThreeGroups(int others, UpdatePolicy policy) {
        askOfThreeGroups(1, policy);
        cell.submit(threeGroups(others, 100));
        SampleRun run = SampleRun.of(scheduler(), cell).runUntil(1_100);
        assertThat(job().counts().of(TaskState.RUNNING)).isEqualTo(8);
        askOfThreeGroups(2, policy);
        cell.update(threeGroups(others, 110));
        return run;
    }

    /** Returns how many tasks of the first two groups were healthy at least, in the group that had the fewest. */
    private int runUntilUpdated(SampleRun run, int place) {
        int least = Integer.MAX_VALUE;
        for (long at = cell.time().millis(); !isUpdated(job().group(place)); at += STEP) {
            assertThat(at).as("time in the cell").isLessThan(60_000);
            run.runUntil(at);
            least = Math.min(least, Math.min(healthy(job().group(0)), healthy(job().group(1))));
        }
        return least;
    }

    private boolean isUpdated(GroupRow group) {
        return tasks(group).stream().allMatch(task -> task.state() == TaskState.RUNNING && task.generation() == 2);
    }

    private int healthy(GroupRow group) {
        long since = cell.time().millis() - HEALTHY_AFTER;
        return (int) tasks(group).stream()
                .filter(task -> task.state() == TaskState.RUNNING)
                .filter(task -> task.generation() == 1 || task.startedAtMillis().orElseThrow() <= since)
                .count();
    }

    private void askOfThreeGroups(int generation, UpdatePolicy policy) {
        GroupLife updated = GroupLife.PLAIN.with(policy);
        cell.asks(
                "web",
                generation,
                Placement.ofLives(updated.content(generation), updated.content(generation), updated.content(9)));
    }

    /** The tasks of the third group fit on no machine. */
    private static JobHeader threeGroups(int others, long cpuMilli) {
        Restart restart = new Restart(Restart.UNLIMITED, 100, 1_000);
        return web(4, cpuMilli)
                .withGroups(List.of(
                        new GroupHeader("a", 4, Amounts.of(cpuMilli, 64), restart),
                        new GroupHeader("b", 4, Amounts.of(cpuMilli, 64), restart),
                        new GroupHeader("large", others, Amounts.of(1_000_000, 64), restart)));
    }

    @Test
    void extraTask_standsInUntilTheLastReplacedTaskIsHealthy() {
        SampleRun run = withExtraTask();
        long at = cell.time().millis();
        for (; count() > 5; at += STEP) {
            assertThat(at).as("time in the cell").isLessThan(60_000);
            run.runUntil(at);
        }
        long since = cell.time().millis() - HEALTHY_AFTER;
        assertThat(tasks())
                .allSatisfy(
                        task -> assertThat(task.startedAtMillis().orElseThrow()).isLessThanOrEqualTo(since));
    }

    @Test
    void extraTaskOfAnUpdateThatHasFailed_ends() {
        UpdatePolicy policy = new UpdatePolicy(1, OptionalInt.of(5), HEALTHY_AFTER, 0, DEADLINE, false);
        begin(policy);
        cell.withTasksThatFail(task -> task.generation() == 2 && task.id().index() == 4);
        SampleRun run = start(5, 1_000);
        next(1_200, 2);
        roll(run, 60_000);
        assertThat(run.status().jobs().get(0).note().orElseThrow()).contains("has failed");
        assertThat(count()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void taskThatFailedForGoodBefore_holdsNoUpdateBack(int minHealthy) {
        begin(policy(1, OptionalInt.of(minHealthy), 0));
        cell.withTasksThatFail(task -> task.id().index() == 4);
        cell.submit(web(5, 1_000, Restart.NEVER));
        SampleRun run = SampleRun.of(scheduler(), cell).runUntil(1_100);
        assertThat(generations()).hasSize(4);
        ask(2, first, 2);
        cell.update(web(5, 1_200, Restart.NEVER));
        roll(run, 60_000);
        assertThat(generations()).containsOnly(2).hasSize(4);
        assertThat(record().stable()).isEqualTo(2);
    }

    @Test
    void taskThatFailsForGoodInTheUpdate_makesItFail() {
        begin(policy(1, OptionalInt.empty(), 0));
        cell.withTasksThatFail(task -> task.generation() == 2);
        cell.submit(web(5, 1_000, Restart.NEVER));
        SampleRun run = SampleRun.of(scheduler(), cell).runUntil(1_100);
        ask(2, first, 2);
        cell.update(web(5, 1_200, Restart.NEVER));
        roll(run, 60_000);
        assertThat(job().generation()).isEqualTo(3);
        assertThat(generations()).containsOnly(1).hasSize(4);
        assertThat(record().stable()).isEqualTo(3);
    }

    @Test
    void scaleInTheMiddle_isKept() {
        begin(policy(1, OptionalInt.of(5), 0));
        SampleRun run = start(5, 1_000);
        next(1_200, 2);
        run.runUntil(3_000);
        cell.scale("web", 0, 8);
        roll(run, 60_000);
        assertThat(generations()).containsOnly(2).hasSize(8);
        assertThat(count()).isEqualTo(8);
    }

    @Test
    void scaleToTheNumberThatTheGroupHasWithItsExtraTask_isKept() {
        SampleRun run = withExtraTask();
        cell.scale("web", 0, 6);
        roll(run, 60_000);
        assertThat(generations()).containsOnly(2).hasSize(6);
        assertThat(count()).isEqualTo(6);
        assertThat(record().surges()).isEmpty();
    }

    @Test
    void scaleToZeroWhileTheGroupHasAnExtraTask_endsTheUpdate() {
        SampleRun run = withExtraTask();
        cell.scale("web", 0, 0);
        run.runUntil(cell.time().millis() + STEP);
        assertThat(record().surges()).isEmpty();
        assertThat(record().stable()).isEqualTo(2);
        cell.scale("web", 0, 5);
        roll(run, 60_000);
        assertThat(generations()).containsOnly(2).hasSize(5);
        assertThat(count()).isEqualTo(5);
    }

    @Test
    void scaleAndBackWhileTheGroupHasAnExtraTask_isKept() {
        SampleRun run = withExtraTask();
        cell.scale("web", 0, 7);
        cell.scale("web", 0, 6);
        roll(run, 60_000);
        assertThat(count()).isEqualTo(6);
    }

    @Test
    void submissionWithTheNumberThatTheGroupHasWithItsExtraTask_isKept() {
        SampleRun run = withExtraTask();
        ask(3, policy(1, OptionalInt.of(5), 0), 3);
        cell.update(web(6, 1_200));
        roll(run, 60_000);
        assertThat(generations()).containsOnly(3).hasSize(6);
        assertThat(count()).isEqualTo(6);
    }

    @Test
    void submissionWithTheNumberBeforeTheExtraTask_isKept() {
        SampleRun run = withExtraTask();
        ask(3, policy(1, OptionalInt.of(5), 0), 3);
        cell.update(web(5, 1_200));
        roll(run, 60_000);
        assertThat(generations()).containsOnly(3).hasSize(5);
        assertThat(count()).isEqualTo(5);
    }

    /** An update of five tasks of which none may be missing, at the moment in which there are six. */
    private SampleRun withExtraTask() {
        begin(policy(1, OptionalInt.of(5), 0));
        SampleRun run = start(5, 1_000);
        next(1_200, 2);
        run.runUntil(3_000);
        assertThat(count()).isEqualTo(6);
        return run;
    }

    @Test
    void canary_waitsForItsPromotion() {
        begin(policy(2, OptionalInt.empty(), 1));
        SampleRun run = start(5, 1_000);
        next(1_200, 2, policy(2, OptionalInt.empty(), 1));
        roll(run, 60_000);
        assertThat(generations()).filteredOn(generation -> generation == 2).hasSize(1);
        assertThat(run.status().jobs().get(0).note().orElseThrow()).contains("promote");
        ask(3, policy(2, OptionalInt.empty(), 0), 2);
        cell.update(web(5, 1_200));
        roll(run, 90_000);
        assertThat(generations())
                .containsOnly(2, 3)
                .filteredOn(generation -> generation == 2)
                .hasSize(1);
        assertThat(record().stable()).isEqualTo(3);
    }

    @Test
    void updateThatNeverBecomesHealthy_isReverted_andTheOtherTasksStay() {
        begin(policy(1, OptionalInt.empty(), 0));
        cell.withTasksThatFail(task -> task.generation() == 2);
        SampleRun run = start(5, 1_000);
        next(1_200, 2);
        roll(run, 60_000);
        assertThat(generations())
                .containsOnly(1, 3)
                .filteredOn(generation -> generation == 1)
                .hasSize(4);
        assertThat(record().stable()).isEqualTo(3);
    }

    /** The revert is an update too, and the newer one takes its place. */
    @Test
    void updateInTheMiddleOfARevert_isOneUpdateToTheNewer() {
        begin(policy(1, OptionalInt.empty(), 0));
        cell.withTasksThatFail(task -> task.generation() == 2 && task.id().index() == 2);
        SampleRun run = start(5, 1_000);
        next(1_200, 2);
        runUntilReverted(run);
        next(1_300, 4);
        roll(run, 120_000);
        assertThat(generations()).containsOnly(4).hasSize(5);
        assertThat(job().generation()).isEqualTo(4);
        assertThat(record().stable()).isEqualTo(4);
        assertThat(leastRunning).isEqualTo(4);
    }

    /** Generation 3 is the revert, generation 4 fails like 2: the job goes back to 1, the last that was complete. */
    @Test
    void updateInTheMiddleOfARevert_thatFailsToo_goesBackToWhatWasComplete() {
        begin(policy(1, OptionalInt.empty(), 0));
        cell.withTasksThatFail(task -> task.generation() % 2 == 0 && task.id().index() == 2);
        SampleRun run = start(5, 1_000);
        next(1_200, 2);
        runUntilReverted(run);
        next(1_300, 4);
        roll(run, 120_000);
        assertThat(job().generation()).isEqualTo(5);
        assertThat(job().group(0).header().shape().at(0)).isEqualTo(1_000);
        assertThat(generations()).containsOnly(1, 5).hasSize(5);
        assertThat(record().stable()).isEqualTo(5);
    }

    @Test
    void updateThatFitsNowhere_isReverted() {
        begin(policy(1, OptionalInt.empty(), 0));
        SampleRun run = start(5, 1_000);
        next(9_000, 2);
        roll(run, 60_000);
        assertThat(generations()).containsOnly(1, 3).hasSize(5);
    }

    /** A machine with room for it comes during the pause. */
    @Test
    void updateOfASchedulerThatIsPausedForLongerThanTheDeadline_goesOn() {
        SampleRun run = pausedInAnUpdateThatFitsNowhere();
        cell.machine("large", 50_000, 8_192);
        cell.resume(SampleCell.SCHEDULER);
        roll(run, 90_000);
        assertThat(generations()).containsOnly(2).hasSize(5);
        assertThat(record().stable()).isEqualTo(2);
    }

    @Test
    void updateOfASchedulerThatWasPaused_hasTheRestOfItsTimeAndNoMore() {
        SampleRun run = pausedInAnUpdateThatFitsNowhere();
        cell.resume(SampleCell.SCHEDULER);
        run.runUntil(60_000 + DEADLINE / 2);
        assertThat(job().generation()).isEqualTo(2);
        run.runUntil(60_000 + DEADLINE);
        assertThat(job().generation()).isEqualTo(3);
    }

    private SampleRun pausedInAnUpdateThatFitsNowhere() {
        begin(policy(1, OptionalInt.empty(), 0));
        SampleRun run = start(5, 1_000);
        next(9_000, 2);
        run.runUntil(4_900);
        cell.pause(SampleCell.SCHEDULER);
        for (long at = 6_000; at <= 60_000; at += 1_000) {
            cell.fill(ofOthers("until-" + at));
            run.runUntil(at);
        }
        assertThat(cell.time().millis()).isEqualTo(60_000);
        return run;
    }

    /** Its end is an event, so that time passes. */
    private static JobHeader ofOthers(String name) {
        JobHeader job = SampleCell.batch(name, 1, 100, 64);
        return new JobHeader(
                name,
                job.type(),
                "others",
                job.pool(),
                job.priority(),
                job.atomicity(),
                job.conflictRule(),
                job.groups());
    }

    @Test
    void failedUpdateThatIsNotReverted_staysAndSaysSo() {
        begin(new UpdatePolicy(1, OptionalInt.empty(), HEALTHY_AFTER, 0, DEADLINE, false));
        cell.withTasksThatFail(task -> task.generation() == 2);
        SampleRun run = start(5, 1_000);
        next(1_200, 2, new UpdatePolicy(1, OptionalInt.empty(), HEALTHY_AFTER, 0, DEADLINE, false));
        roll(run, 60_000);
        assertThat(generations()).filteredOn(generation -> generation == 1).hasSize(4);
        assertThat(run.status().jobs().get(0).note().orElseThrow()).contains("has failed");
    }

    /** Without the report of a check, each of the four would have to run for longer than the whole test. */
    @Test
    void taskWhoseCheckHasPassed_isHealthyAtOnce() {
        begin(checked(60_000, 0));
        cell.withTasksThatAreChecked(300, task -> true);
        SampleRun run = start(4, 1_000);
        next(1_200, 2);
        roll(run, 5_000);
        assertThat(generations()).containsOnly(2).hasSize(4);
        assertThat(record().stable()).isEqualTo(2);
    }

    @Test
    void taskWhoseCheckHasPassed_goesOnForAsLongAsTheUpdateSays() {
        begin(checked(60_000, 2_000));
        cell.withTasksThatAreChecked(300, task -> true);
        SampleRun run = start(4, 1_000);
        next(1_200, 2);
        roll(run, 7_500);
        assertThat(generations()).contains(1);
        roll(run, 12_000);
        assertThat(generations()).containsOnly(2).hasSize(4);
    }

    /** It would be healthy for having run, if its agent did not say that its check has not passed. */
    @Test
    void taskWhoseCheckNeverPasses_isNotHealthy_howeverLongItRuns() {
        begin(policy(1, OptionalInt.empty(), 0));
        cell.withTasksThatAreChecked(300, task -> task.generation() != 2);
        SampleRun run = start(4, 1_000);
        next(1_200, 2);
        roll(run, 15_000);
        assertThat(generations()).containsExactlyInAnyOrder(1, 1, 1, 2);
        roll(run, 60_000);
        assertThat(job().generation()).isEqualTo(3);
        assertThat(generations()).containsOnly(1, 3).hasSize(4);
    }

    @Test
    void anotherCountAlone_replacesNothing() {
        begin(policy(1, OptionalInt.empty(), 0));
        SampleRun run = start(3, 1_000);
        ask(2, policy(1, OptionalInt.empty(), 0), 1);
        cell.update(web(6, 1_000));
        roll(run, 30_000);
        assertThat(generations()).containsExactly(1, 1, 1, 2, 2, 2);
    }

    @Test
    void record_isTheSameAfterBytes() {
        UpdateRecord record = UpdateRecord.NONE
                .withStable(2)
                .withFailed(3)
                .withInPlace(3)
                .withContent(2, List.of(7L, -1L))
                .withSurge(1, new UpdateRecord.Surge(5, 2, 4_711));
        assertThat(UpdateRecord.of(record.toProgress())).isEqualTo(record);
    }

    @Test
    void record_ofAnEarlierProgram_isRead() {
        Progress before =
                Progress.of("stable 1\nfailed 0\ninPlace 0\nsurge 1 5 2\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(UpdateRecord.of(before).surges()).isEqualTo(Map.of(1, new UpdateRecord.Surge(5, 2, -1)));
    }

    @Test
    void record_keepsTheStableGeneration_whateverIsLeftOut() {
        UpdateRecord record = UpdateRecord.NONE.withStable(1);
        List<Long> hundred =
                IntStream.range(0, 100).mapToObj(group -> -1L - group).toList();
        for (int generation = 1; generation < 10; generation++) {
            record = record.withContent(generation, hundred);
        }
        UpdateRecord read = UpdateRecord.of(record.toProgress());
        assertThat(read.contents()).containsOnlyKeys(1, 9);
    }

    // ---- the service

    private static Scheduler<?> scheduler() {
        ServicePlanner planner = new ServicePlanner(4, List.of());
        Rebalancing never = new Rebalancing(Rebalance.NEVER, 1_000, planner::spreadOut);
        return new ServiceScheduler(planner, never, QueueOrder.PRIORITY);
    }

    private static UpdatePolicy policy(int maxParallel, OptionalInt minHealthy, int canary) {
        return new UpdatePolicy(maxParallel, minHealthy, HEALTHY_AFTER, canary, DEADLINE, true);
    }

    private static UpdatePolicy checked(long healthyAfter, long checkedAfter) {
        return new UpdatePolicy(1, OptionalInt.empty(), healthyAfter, checkedAfter, 0, 10 * healthyAfter, true);
    }

    private UpdatePolicy first = UpdatePolicy.DEFAULT;

    private void begin(UpdatePolicy policy) {
        first = policy;
        ask(1, policy, 1);
    }

    private void ask(int generation, UpdatePolicy policy, long content) {
        cell.asks(
                "web",
                generation,
                Placement.ofLives(GroupLife.PLAIN.with(policy).content(content)));
    }

    private SampleRun start(int tasks, long cpuMilli) {
        cell.submit(web(tasks, cpuMilli));
        SampleRun run = SampleRun.of(scheduler(), cell).runUntil(1_100);
        assertThat(generations()).hasSize(tasks).containsOnly(1);
        return run;
    }

    private void next(long cpuMilli, int generation) {
        next(cpuMilli, generation, first);
    }

    private void next(long cpuMilli, int generation, UpdatePolicy policy) {
        ask(generation, policy, generation);
        cell.update(web(count(), cpuMilli));
    }

    private int count() {
        return job().group(0).header().count();
    }

    /** Runs on, and looks all the time at how many tasks run. */
    private void roll(SampleRun run, long until) {
        for (long at = cell.time().millis(); at <= until; at += STEP) {
            run.runUntil(at);
            int running = job().counts().of(TaskState.RUNNING);
            leastRunning = Math.min(leastRunning, running);
            mostRunning = Math.max(mostRunning, running);
        }
    }

    /** Until the job is of generation 3, and has tasks that still run generation 2. */
    private void runUntilReverted(SampleRun run) {
        for (long at = cell.time().millis(); job().generation() < 3; at += STEP) {
            assertThat(at).as("time in the cell").isLessThan(60_000);
            run.runUntil(at);
        }
        assertThat(record().stable()).isEqualTo(1);
        assertThat(generations()).contains(2);
    }

    private JobRow job() {
        return cell.view().job("web").orElseThrow();
    }

    private UpdateRecord record() {
        return UpdateRecord.of(job().progress());
    }

    private List<Integer> generations() {
        return tasks().stream()
                .filter(task -> task.state() == TaskState.RUNNING)
                .map(TaskRow::generation)
                .toList();
    }

    private int attempts() {
        return tasks().stream().mapToInt(TaskRow::attempt).sum();
    }

    private List<TaskRow> tasks() {
        return tasks(job().group(0));
    }

    private List<TaskRow> tasks(GroupRow group) {
        return IntStream.range(0, group.header().count())
                .mapToObj(index -> cell.view().task(group, index))
                .toList();
    }

    private static JobHeader web(int tasks, long cpuMilli) {
        return web(tasks, cpuMilli, new Restart(Restart.UNLIMITED, 100, 1_000));
    }

    private static JobHeader web(int tasks, long cpuMilli, Restart restart) {
        JobHeader job = SampleCell.batch("web", tasks, cpuMilli, 64);
        GroupHeader group = new GroupHeader("main", tasks, Amounts.of(cpuMilli, 64), restart);
        return new JobHeader(
                "web",
                JobType.SERVICE,
                job.scheduler(),
                job.pool(),
                job.priority(),
                job.atomicity(),
                job.conflictRule(),
                List.of(group));
    }
}
