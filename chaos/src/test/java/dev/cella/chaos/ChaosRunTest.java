package dev.cella.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.ChaosRun.Second;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Timeline;
import dev.cella.chaos.history.WorldResult;
import dev.cella.chaos.processes.CouldNotRunException;
import dev.cella.chaos.report.HtmlReport;
import dev.cella.chaos.report.RunReport;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.chaos.scenario.World;
import dev.cella.transactions.cell.tables.CellLimits;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ChaosRunTest {
    private static final Scenario SCENARIO =
            ScenarioFiles.shipped("leader-loss").orElseThrow();

    private long runs;

    @Test
    void run_oneSeedFailsInside_isAFailedRunWithItsSeedAndCommand_andTheOthersAreJudged() {
        ChaosRun chaos = new ChaosRun(SCENARIO, world(seed -> {
            if (seed == 3) {
                throw new IllegalStateException("slot 7: free -1");
            }
            return seed;
        }));
        List<Checked> all = LongStream.rangeClosed(1, 5)
                .mapToObj(seed -> chaos.run(seed, Second.NONE))
                .toList();
        assertThat(all.stream().filter(run -> !run.holds()).map(Checked::seed)).containsExactly(3L);
        Checked failed = all.get(2);
        assertThat(failed.failed()).containsExactly("end");
        assertThat(failed.command()).isEqualTo("cella chaos run leader-loss --seed 3");
        assertThat(failed.verdicts().get(0).violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.what())
                        .startsWith("the run ended: java.lang.IllegalStateException: slot 7: free -1 at ")
                        .contains("ChaosRunTest"));
        assertThat(RunReport.json(failed)).contains("\"checker\":\"end\"");
        assertThat(HtmlReport.of(failed)).contains("does not hold");
    }

    /** The job is tried again and placed, so no checker of the log sees it. */
    @Test
    void run_plannerFails_failsPlans_andSaysWhy() {
        ChaosRun chaos = new ChaosRun(SCENARIO, worldWith(history -> {
            history.schedulers.add(figures("sound", 0, Optional.empty()));
            history.schedulers.add(figures("mine", 2, Optional.of("java.lang.IllegalStateException: no rack")));
        }));
        Checked failed = chaos.run(1, Second.NONE);
        assertThat(failed.failed()).containsExactly("plans");
        assertThat(RunReport.json(failed))
                .contains("2 of 10 plans of scheduler mine failed, the last one by "
                        + "java.lang.IllegalStateException: no rack");
    }

    private static History.SchedulerFigures figures(String scheduler, long failed, Optional<String> lastFailure) {
        return new History.SchedulerFigures(scheduler, "i0", 10, failed, 0, 0, lastFailure);
    }

    @Test
    void run_thisMachineDoesNotLetItBe_saysSo_andIsNoFailure() {
        ChaosRun chaos = new ChaosRun(SCENARIO, world(seed -> {
            throw new CouldNotRunException("umount: target is busy");
        }));
        assertThatThrownBy(() -> chaos.run(1, Second.NONE)).isInstanceOf(CouldNotRunException.class);
    }

    @Test
    void run_secondRunIsAnother_failsRerun_alsoWhenItIsMadeSmaller() {
        CellWorld world = world(seed -> runs++);
        Checked failed = new ChaosRun(SCENARIO, world).run(1, Second.SAME);
        assertThat(failed.failed()).containsExactly("rerun");
        assertThat(new ChaosRun(SCENARIO, world).run(1, Second.NONE).failed()).isEmpty();

        Second second = Second.neededBy(failed.failed());
        Shrinking.Shrunk shrunk = new Shrinking(failed, world, second, found -> {}).shrink();
        assertThat(shrunk.faults()).isEmpty();
        assertThat(shrunk.run().failed()).containsExactly("rerun");
    }

    @Test
    void run_withItsTwin_isJudgedByC18() {
        assertThat(new ChaosRun(SCENARIO, world(seed -> seed))
                        .run(1, Second.neededBy(List.of("C17", "C18"))).verdicts().stream()
                                .map(Verdict::checker))
                .contains("C18");
    }

    private static CellWorld world(LongFunction<Long> digest) {
        return world(digest, history -> {});
    }

    private static CellWorld worldWith(Consumer<History> seen) {
        return world(seed -> seed, seen);
    }

    private static CellWorld world(LongFunction<Long> digest, Consumer<History> seen) {
        return new CellWorld() {
            @Override
            public World world() {
                return World.SIMULATED;
            }

            @Override
            public WorldResult run(Scenario scenario, List<PlannedFault> faults, long seed) {
                History history = new History(CellLimits.STANDARD);
                seen.accept(history);
                return new WorldResult(history, new Timeline(), List.of(), digest.apply(seed), 0, 0);
            }
        };
    }
}
