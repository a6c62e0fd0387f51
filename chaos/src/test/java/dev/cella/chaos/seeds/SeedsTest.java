package dev.cella.chaos.seeds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.ChaosRun;
import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.scenario.Load;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The chaos suite over Cella itself: one scenario in each build. {@code -Dcella.chaos.seeds=2000} runs that many seeds of
 * the swarm and every shipped scenario, from the seed {@code -Dcella.chaos.seed} on.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class SeedsTest {
    private static final long FIRST = Long.getLong("cella.chaos.seed", 7);
    private static final int SEEDS = Integer.getInteger("cella.chaos.seeds", 0);
    private static final SchedulerTypes TYPES = SchedulerTypes.installed();

    @Test
    void swarmOfFaults_everythingHolds() {
        Scenario swarm = ScenarioFiles.shipped("swarm").orElseThrow();
        List<String> failed = LongStream.range(FIRST, FIRST + SEEDS)
                .mapToObj(seed -> new ChaosRun(swarm, TYPES).run(seed, false))
                .filter(run -> !run.holds() || !run.canarySeen())
                .map(SeedsTest::describe)
                .toList();
        assertThat(failed).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void shippedScenario_holdsAndBites(String name) {
        Checked run = new ChaosRun(ScenarioFiles.shipped(name).orElseThrow(), TYPES).run(FIRST, true);
        assertThat(describe(run)).isEqualTo("");
        assertThat(run.bit()).isTrue();
        assertThat(run.canarySeen()).isTrue();
    }

    static Stream<String> shippedScenario_holdsAndBites() {
        return SEEDS == 0 ? Stream.of("leader-loss") : ScenarioFiles.SHIPPED.stream();
    }

    @Test
    void sameSeed_sameRun() {
        Scenario small = ScenarioFiles.shipped("swarm").orElseThrow().withLoad(Load.USUAL.withJobs(20));
        long once = new ChaosRun(small, TYPES).run(11, false).result().digest();
        new ChaosRun(small, TYPES).run(12, false);
        assertThat(new ChaosRun(small, TYPES).run(11, false).result().digest()).isEqualTo(once);
        assertThat(new ChaosRun(small, TYPES).run(12, false).result().digest()).isNotEqualTo(once);
    }

    /** Empty where everything holds. */
    private static String describe(Checked run) {
        StringBuilder text = new StringBuilder();
        for (Verdict verdict : run.verdicts()) {
            if (!verdict.held()) {
                text.append("seed ")
                        .append(run.seed())
                        .append(' ')
                        .append(verdict.checker())
                        .append(' ')
                        .append(verdict.violations().get(0))
                        .append('\n');
            }
        }
        return text.toString();
    }
}
