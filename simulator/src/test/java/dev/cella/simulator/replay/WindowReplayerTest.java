package dev.cella.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduler.service.ServiceSchedulerProvider;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.replay.RecordedWindow;
import dev.cella.transactions.replay.ReplayedCounts;
import dev.cella.transactions.replay.ReplayedScheduler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class WindowReplayerTest {
    private static final long MILLI = 1_000_000L;
    private static final long LENGTH_MILLIS = 60_000;
    private static final WindowReplayer REPLAYER = new WindowReplayer(
            List.of(new BatchSchedulerProvider(), new ServiceSchedulerProvider()), () -> Placements.ANYWHERE);

    private static final ReplayedScheduler QUICK = ReplayedScheduler.of("quick", "batch", 1, 50 * MILLI, 0);
    private static final ReplayedScheduler SLOW = ReplayedScheduler.of("slow", "batch", 1, 500 * MILLI, 0);

    /** 40 machines, half full of tasks that run for 2 s: two schedulers get 4 jobs and 1 job a second. */
    private static RecordedWindow contended(ConflictRule rule) {
        List<RecordedWindow.Arrival> jobs = new ArrayList<>();
        for (int number = 0; number < 120; number++) {
            jobs.add(job("quick-" + number, "quick", number * 250L, 8, rule));
        }
        for (int number = 0; number < 30; number++) {
            jobs.add(job("slow-" + number, "slow", number * 1_000L, 8, rule));
        }
        return window(40, List.of(), jobs);
    }

    private static RecordedWindow window(
            int machines, List<RecordedWindow.Held> held, List<RecordedWindow.Arrival> jobs) {
        List<RecordedWindow.Room> rooms = IntStream.range(0, machines)
                .mapToObj(number -> new RecordedWindow.Room("m-" + number, Amounts.of(4_000, 16_384), Map.of()))
                .toList();
        return new RecordedWindow(LENGTH_MILLIS, Dimensions.FOUNDING, rooms, held, jobs);
    }

    private static RecordedWindow.Arrival job(
            String name, String scheduler, long atMillis, int tasks, ConflictRule rule) {
        GroupHeader group = new GroupHeader("main", tasks, Amounts.of(1_000, 1_024), Restart.BATCH);
        return job(name, scheduler, 50, atMillis, group, 2_000, rule);
    }

    /** Each of its tasks takes a whole machine. */
    private static RecordedWindow.Arrival large(
            String name, String scheduler, int priority, long atMillis, int tasks, long runMillis) {
        GroupHeader group = new GroupHeader("main", tasks, Amounts.of(4_000, 1_024), Restart.BATCH);
        return job(name, scheduler, priority, atMillis, group, runMillis, ConflictRule.RESOURCE);
    }

    private static RecordedWindow.Arrival job(
            String name,
            String scheduler,
            int priority,
            long atMillis,
            GroupHeader group,
            long runMillis,
            ConflictRule rule) {
        JobHeader header = new JobHeader(
                name, JobType.BATCH, scheduler, "default", priority, Atomicity.INCREMENTAL, rule, List.of(group));
        return new RecordedWindow.Arrival(
                header,
                Specification.EMPTY,
                atMillis,
                List.of(Collections.nCopies(group.count(), runMillis)),
                OptionalLong.empty());
    }

    /** The job of 20 s is evicted after 5 s for 10 s, and then runs from 15 s to 35 s. */
    @Test
    void evictedTask_runsForTheWholeTimeAgain() {
        RecordedWindow window = window(
                1,
                List.of(),
                List.of(
                        large("low", "quick", 20, 0, 1, 20_000),
                        large("high", "quick", 90, 5_000, 1, 10_000),
                        large("last", "slow", 10, 16_000, 1, 1_000)));
        ReplayedCounts last = REPLAYER.replay(window, List.of(QUICK, SLOW), 1).get(1);
        assertThat(last.waitMeanSeconds().orElseThrow()).isBetween(18.0, 21.0);
    }

    /** Its second task never finds a place, while the first one has two of them. */
    @Test
    void jobOfWhichATaskIsPlacedTwice_isNotWholeByThat() {
        RecordedWindow window = window(
                1,
                List.of(),
                List.of(large("low", "quick", 20, 0, 2, 50_000), large("high", "slow", 90, 5_000, 1, 10_000)));
        List<ReplayedCounts> counts = REPLAYER.replay(window, List.of(QUICK, SLOW), 1);
        assertThat(counts.get(0).claimsAccepted()).isEqualTo(2);
        assertThat(counts.get(0).jobsPlaced()).isZero();
    }

    /** In the record the first one had ended by then. */
    @Test
    void nameThatIsUsedAgainWhileItsJobRuns_isAnotherJob() {
        RecordedWindow window = window(
                2,
                List.of(),
                List.of(large("again-1", "quick", 50, 0, 1, 30_000), large("again-1", "quick", 50, 1_000, 1, 1_000)));
        ReplayedCounts counts = REPLAYER.replay(window, List.of(QUICK), 1).get(0);
        assertThat(counts.jobs()).isEqualTo(2);
        assertThat(counts.jobsPlaced()).isEqualTo(2);
    }

    /** A machine of a cell has ports, and a task may ask for one of them by its number. */
    @Test
    void membersOfASet_areCounted() {
        Dimensions dimensions = Dimensions.FOUNDING.with(new Dimension("ports", Dimension.Kind.SET));
        Amounts asked =
                Amounts.of(1_000, 64, 0, 1).naming(Members.NONE.with(Dimensions.FOUNDING.size(), MemberSet.of(8_080)));
        JobHeader header = new JobHeader(
                "web",
                JobType.BATCH,
                "quick",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", 3, asked, Restart.BATCH)));
        RecordedWindow.Arrival web = new RecordedWindow.Arrival(
                header, Specification.EMPTY, 0, List.of(Collections.nCopies(3, 90_000L)), OptionalLong.empty());
        RecordedWindow.Room room = new RecordedWindow.Room("m-0", Amounts.of(4_000, 16_384, 0, 2), Map.of());
        RecordedWindow window = new RecordedWindow(LENGTH_MILLIS, dimensions, List.of(room), List.of(), List.of(web));

        List<ReplayedCounts> counts = REPLAYER.replay(window, List.of(QUICK), 1);

        assertThat(counts.get(0).claimsAccepted()).isEqualTo(2);
    }

    private static long lost(List<ReplayedCounts> counts) {
        return counts.stream().mapToLong(ReplayedCounts::claimsConflicted).sum();
    }

    @Test
    void replay_sameSeed_sameCounts() {
        RecordedWindow window = contended(ConflictRule.RESOURCE);
        List<ReplayedCounts> once = REPLAYER.replay(window, List.of(QUICK, SLOW), 7);
        assertThat(REPLAYER.replay(window, List.of(QUICK, SLOW), 7)).isEqualTo(once);
        assertThat(once.get(0).jobs()).isEqualTo(120);
        assertThat(once.get(0).claimsAccepted()).isEqualTo(120 * 8);
        assertThat(once.get(0).jobsPlaced()).isEqualTo(120);
    }

    @Test
    void replay_ruleByMachine_losesMoreClaims() {
        RecordedWindow window = contended(ConflictRule.RESOURCE);
        List<ReplayedCounts> asItWas = REPLAYER.replay(window, List.of(QUICK, SLOW), 1);
        List<ReplayedCounts> byMachine =
                REPLAYER.replay(window, List.of(QUICK, SLOW.withConflictRule(ConflictRule.MACHINE)), 1);
        assertThat(lost(asItWas)).isPositive();
        assertThat(lost(byMachine)).isGreaterThan(2 * lost(asItWas));
    }

    @Test
    void replay_slowerDecisions_waitLonger_andTwoInstancesShareTheJobs() {
        RecordedWindow window = contended(ConflictRule.RESOURCE);
        ReplayedScheduler slower = SLOW.withDecisionNanos(1_500 * MILLI);
        double wait = wait(window, SLOW);
        double waitSlower = wait(window, slower);
        assertThat(waitSlower).isGreaterThan(2 * wait);
        assertThat(wait(window, slower.withInstances(2))).isLessThan(waitSlower);
    }

    private static double wait(RecordedWindow window, ReplayedScheduler slow) {
        return REPLAYER.replay(window, List.of(QUICK, slow), 1)
                .get(1)
                .waitMeanSeconds()
                .orElseThrow();
    }

    @Test
    void replay_tasksOfBefore_holdTheirMachineUntilTheirEnd() {
        RecordedWindow.Held held = new RecordedWindow.Held(0, Amounts.of(4_000, 1_024), 10_000);
        RecordedWindow window = window(1, List.of(held), List.of(job("late", "quick", 0, 1, ConflictRule.RESOURCE)));
        ReplayedCounts counts = REPLAYER.replay(window, List.of(QUICK), 1).get(0);
        assertThat(counts.waitMeanSeconds().orElseThrow()).isBetween(10.0, 11.0);
    }

    @Test
    void replay_typeThatNeedsAgents_orUnknownOption_isRefusedInWords() {
        RecordedWindow window = contended(ConflictRule.RESOURCE);
        assertThatThrownBy(() -> REPLAYER.replay(window, List.of(QUICK.withType("sparrow")), 1))
                .hasMessage("type sparrow cannot be replayed, only batch, service");
        assertThatThrownBy(() -> REPLAYER.replay(window, List.of(QUICK.withOptions(Map.of("draws", "8"))), 1))
                .hasMessageContaining("quick, of type batch: no option draws")
                .hasMessageContaining("name the scheduler that the option is for");
    }
}
