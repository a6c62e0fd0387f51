package dev.cella.scheduler.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SampleRun;
import dev.cella.scheduling.placement.GroupLife;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.UpdatePolicy;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.TaskState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the scheduler does about a service whose tasks should be elsewhere. */
class RebalancingTest {
    private static final long HOUR = 3_600_000;
    private static final long STEP = 100;

    private final SampleCell cell = SampleCell.of(0, 1, 1).withTasksThatRun(1_000);
    private int leastRunning = Integer.MAX_VALUE;
    private int mostRunning;

    @Test
    void machineThatDrainsUntilADeadline_isLeftInTime_asFewTasksAtOnceAsAnUpdateReplaces() {
        racks(2);
        SampleRun run = start("drains", 6, update(2, OptionalInt.empty()));
        cell.drain("a0", HOUR);
        run.runUntil(1_900);
        assertThat(onMachine("a0")).isEqualTo(3);
        roll(run, 2_900);
        assertThat(onMachine("a0")).isEqualTo(1);
        roll(run, 10_000);
        assertThat(onMachine("a0")).isZero();
        assertThat(running()).hasSize(6);
        assertThat(replaced()).isEqualTo(3);
        assertThat(leastRunning).isEqualTo(6);
    }

    @Test
    void tasksThatHaveNoRoomElsewhere_stay_andMoveWhenThereIsRoom() {
        machine("a0", "a");
        SampleRun run = start("drains", 3, update(1, OptionalInt.empty()));
        cell.drain("a0", HOUR);
        roll(run, 10_000);
        assertThat(onMachine("a0")).isEqualTo(3);
        assertThat(replaced()).isZero();
        machine("b0", "b");
        roll(run, 30_000);
        assertThat(onMachine("b0")).isEqualTo(3);
    }

    @Test
    void serviceThatMaySpareNoTask_getsOneMoreWhileItMoves() {
        racks(3);
        SampleRun run = start("drains", 3, update(1, OptionalInt.of(3)));
        cell.drain("a0", HOUR);
        roll(run, 30_000);
        assertThat(onMachine("a0")).isZero();
        assertThat(leastRunning).isEqualTo(3);
        assertThat(mostRunning).isEqualTo(4);
        assertThat(job().group(0).header().count()).isEqualTo(3);
    }

    @Test
    void oneMoreTaskThatFailsForGood_isGivenUp_andTheOthersMoveInPlace() {
        racks(3);
        cell.withTasksThatFail(task -> task.id().index() == 3);
        asks(1, update(1, OptionalInt.of(3)));
        cell.submit(web(3, 1_000, Restart.NEVER));
        SampleRun run = SampleRun.of(scheduler("drains"), cell).runUntil(1_100);
        cell.drain("a0", HOUR);
        roll(run, 30_000);
        assertThat(onMachine("a0")).isZero();
        assertThat(running()).hasSize(3);
        assertThat(job().group(0).header().count()).isEqualTo(3);
    }

    @Test
    void machineThatIsReadyAgain_keepsItsTasks_andNobodyWaitsForTheirMove() {
        racks(3);
        SampleRun run = start("drains", 3, update(1, OptionalInt.of(3)));
        cell.drain("a0", HOUR);
        run.runUntil(1_900);
        assertThat(run.status().jobs()).hasSize(1);
        cell.ready("a0");
        roll(run, 30_000);
        assertThat(onMachine("a0")).isEqualTo(1);
        assertThat(job().group(0).header().count()).isEqualTo(3);
        assertThat(run.status().jobs()).isEmpty();
    }

    @Test
    void rackThatComesBack_getsItsShareAgain_andNoMoreTasksMoveThanThat() {
        racks(2);
        SampleRun run = start("spread", 6, update(1, OptionalInt.empty()));
        assertThat(byRack()).isEqualTo(Map.of("a", 3, "b", 3));
        machine("c0", "c");
        roll(run, 30_000);
        assertThat(byRack()).isEqualTo(Map.of("a", 2, "b", 2, "c", 2));
        assertThat(replaced()).isEqualTo(2);
        roll(run, 200_000);
        assertThat(replaced()).isEqualTo(2);
    }

    @Test
    void spread_isLeftAsItIs_unlessTheOptionSaysSo() {
        racks(2);
        SampleRun run = start("drains", 6, update(1, OptionalInt.empty()));
        machine("c0", "c");
        roll(run, 100_000);
        assertThat(byRack()).isEqualTo(Map.of("a", 3, "b", 3));
    }

    @Test
    void never_leavesTheTasksToTheDeadline() {
        racks(2);
        SampleRun run = start("never", 4, update(1, OptionalInt.empty()));
        cell.drain("a0", HOUR);
        roll(run, 30_000);
        assertThat(onMachine("a0")).isEqualTo(2);
    }

    /** The update comes first; what is left to move is moved when it is done. */
    @Test
    void updateDuringTheMoves_isDone_andSoAreTheMoves() {
        racks(3);
        SampleRun run = start("drains", 6, update(1, OptionalInt.empty()));
        cell.drain("a0", HOUR);
        run.runUntil(3_000);
        asks(2, update(1, OptionalInt.empty()));
        cell.update(web(6, 1_100));
        roll(run, 60_000);
        assertThat(running()).hasSize(6).allMatch(task -> task.generation() == 2);
        assertThat(onMachine("a0")).isZero();
    }

    @Test
    void anotherInstance_goesOnWithTheMoves() {
        racks(2);
        SampleRun run = start("drains", 6, update(1, OptionalInt.empty()));
        cell.drain("a0", HOUR);
        run.runUntil(3_500);
        assertThat(onMachine("a0")).isBetween(1L, 2L);
        roll(SampleRun.of(scheduler("drains"), cell), 40_000);
        assertThat(onMachine("a0")).isZero();
        assertThat(running()).hasSize(6);
    }

    @Test
    void movesUnderWay_areReported_aSettledServiceIsNot() {
        racks(2);
        SampleRun run = start("spread", 4, update(1, OptionalInt.empty()));
        assertThat(run.status().jobs()).isEmpty();
        cell.drain("a0", HOUR);
        run.runUntil(1_500);
        assertThat(run.status().jobs().get(0).note()).contains("tasks are moved: 2 off machines that drain");
    }

    @Test
    void option_ofAnotherWord_isRefused() {
        assertThatThrownBy(() -> scheduler("sometimes"))
                .hasMessage("option rebalance is one of never, drains, spread, not sometimes");
    }

    // ---- the service

    private static Scheduler<?> scheduler(String rebalance) {
        ServiceSchedulerProvider provider = new ServiceSchedulerProvider();
        Map<String, String> set = Map.of("rebalance", rebalance, "rebalance-seconds", "5");
        return provider.create(SchedulerOptions.of(provider.options(), set));
    }

    private void racks(int count) {
        for (int rack = 0; rack < count; rack++) {
            String name = Character.toString('a' + rack);
            machine(name + "0", name);
        }
    }

    private void machine(String name, String rack) {
        cell.machine(name, 8_000, 8_192, Map.of("rack", rack));
    }

    private static UpdatePolicy update(int maxParallel, OptionalInt minHealthy) {
        return new UpdatePolicy(maxParallel, minHealthy, 1_000, 1, 5_000, true);
    }

    private void asks(int generation, UpdatePolicy policy) {
        UpdatePolicy now = generation == 1 ? policy : policy.withoutCanary();
        cell.asks("web", generation, Placement.ofLives(GroupLife.PLAIN.with(now).content(generation)));
    }

    private SampleRun start(String rebalance, int tasks, UpdatePolicy policy) {
        asks(1, policy);
        cell.submit(web(tasks, 1_000));
        SampleRun run = SampleRun.of(scheduler(rebalance), cell).runUntil(1_100);
        assertThat(running()).hasSize(tasks);
        return run;
    }

    private void roll(SampleRun run, long until) {
        for (long at = cell.time().millis(); at <= until; at += STEP) {
            run.runUntil(at);
            leastRunning = Math.min(leastRunning, running().size());
            mostRunning = Math.max(mostRunning, running().size());
        }
    }

    private JobRow job() {
        return cell.view().job("web").orElseThrow();
    }

    private List<TaskRow> running() {
        return tasks().stream()
                .filter(task -> task.state() == TaskState.RUNNING)
                .toList();
    }

    private List<TaskRow> tasks() {
        return IntStream.range(0, job().group(0).header().count())
                .mapToObj(index -> cell.view().task(job().group(0), index))
                .toList();
    }

    /** How many tasks of the first generation were tried again. */
    private int replaced() {
        return tasks().stream().mapToInt(task -> task.attempt() - 1).sum();
    }

    private long onMachine(String name) {
        return running().stream()
                .filter(task -> task.machineName().equals(Optional.of(name)))
                .count();
    }

    private Map<String, Integer> byRack() {
        Map<String, Integer> counts = new TreeMap<>();
        running()
                .forEach(task -> counts.merge(
                        cell.view().attributes(task.machine().orElseThrow()).getOrDefault("rack", ""),
                        1,
                        Integer::sum));
        return counts;
    }

    private static JobHeader web(int tasks, long cpuMilli) {
        return web(tasks, cpuMilli, new Restart(Restart.UNLIMITED, 100, 1_000));
    }

    private static JobHeader web(int tasks, long cpuMilli, Restart restart) {
        JobHeader job = SampleCell.batch("web", tasks, cpuMilli, 64);
        return new JobHeader(
                "web",
                JobType.SERVICE,
                job.scheduler(),
                job.pool(),
                job.priority(),
                job.atomicity(),
                job.conflictRule(),
                List.of(new GroupHeader("main", tasks, Amounts.of(cpuMilli, 64), restart)));
    }
}
