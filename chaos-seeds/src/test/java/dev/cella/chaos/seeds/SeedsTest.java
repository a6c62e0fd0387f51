package dev.cella.chaos.seeds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.ChaosRun;
import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.ChaosRun.Second;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.proto.LoadEntry;
import dev.cella.chaos.proto.ScenarioFile;
import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.FaultRun;
import dev.cella.chaos.scenario.Load;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The chaos suite over Cella itself: in each build some seeds of the swarm.
 * {@code -Dcella.chaos.seeds=2000} runs that many and every shipped scenario, from the seed {@code -Dcella.chaos.seed} on.
 * {@code -Dcella.chaos.twice=1000} runs that many seeds of the swarm twice.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class SeedsTest {
    private static final long FIRST = Long.getLong("cella.chaos.seed", 7);
    private static final boolean WHOLE = Integer.getInteger("cella.chaos.seeds") != null;
    private static final int SEEDS = Integer.getInteger("cella.chaos.seeds", 10);
    private static final int TWICE = Integer.getInteger("cella.chaos.twice", 1);
    private static final SchedulerTypes TYPES = SchedulerTypes.installed();

    @BeforeAll
    static void giveWay() throws IOException, InterruptedException {
        Niceness.raise();
    }

    @Test
    void swarmOfFaults_everythingHolds() {
        Scenario swarm = ScenarioFiles.shipped("swarm").orElseThrow();
        List<String> failed = LongStream.range(FIRST, FIRST + SEEDS)
                .mapToObj(seed -> new ChaosRun(swarm, TYPES).run(seed, Second.NONE))
                .map(run -> describe(run) + (run.canarySeen() ? "" : "seed " + run.seed() + ": the canary is missed\n"))
                .filter(problems -> !problems.isEmpty())
                .toList();
        assertThat(failed).isEmpty();
    }

    /**
     * Each of them failed once: by a lost wake-up, a quota that a plan did not see, a start without a lease, a job that
     * slept on while those behind it were placed, a plan that failed, or a world or a checker that was wrong.
     */
    @ParameterizedTest
    @CsvSource({
        "swarm, 4",
        "swarm, 67",
        "swarm, 71",
        "swarm, 86",
        "swarm, 119",
        "swarm, 815",
        "swarm, 907",
        "swarm, 1094",
        "small-swarm, 348",
        "everything, 11",
        "everything, 189",
        "everything, 442",
        "everything, 766",
        "everything, 559",
        "everything, 1171",
        "everything, 1207",
        "everything, 1585",
        "everything, 2167",
        "everything, 4839",
        "everything, 5222",
        "everything, 13300"
    })
    void seedThatFailedOnce_holds(String scenario, long seed) {
        Scenario shipped = ScenarioFiles.shipped(scenario).orElseThrow();
        assertThat(describe(new ChaosRun(shipped, TYPES).run(seed, Second.NONE)))
                .isEmpty();
    }

    /** Ten machines register at once; all their calls fail at the same four followers. A single replica elects itself. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void oneReplicaOrFive_placeWhatThreeDo(int replicas) {
        ScenarioFile file = ScenarioFile.newBuilder()
                .setReplicas(replicas)
                .setLoad(LoadEntry.newBuilder().setJobs(10))
                .build();
        Checked run = new ChaosRun(ScenarioFiles.scenario(file), TYPES).run(FIRST, Second.NONE);
        assertThat(describe(run)).isEmpty();
        assertThat(run.result().history().started).hasSizeGreaterThan(10);
    }

    /** A majority of empty disks would be lost data. */
    @Test
    void secondWipe_beforeTheFirstReplicaHasCaughtUp_isVoid() {
        Scenario calm = ScenarioFiles.shipped("swarm").orElseThrow().withFaults(List.of());
        List<PlannedFault> faults = List.of(
                new PlannedFault(FaultKind.DISK_WIPE, "r1", 2_000, 3_000),
                new PlannedFault(FaultKind.DISK_WIPE, "r2", 3_000, 1_000),
                new PlannedFault(FaultKind.DISK_WIPE, "r3", 9_000, 1_000));
        Checked run = new ChaosRun(calm, TYPES).run(FIRST, faults, Second.NONE);
        assertThat(describe(run)).isEmpty();
        assertThat(run.result().faults()).extracting(FaultRun::bit).containsExactly(true, false, true);
    }

    @ParameterizedTest
    @MethodSource
    void shippedScenario_holdsAndBites(String name) {
        Checked run = new ChaosRun(ScenarioFiles.shipped(name).orElseThrow(), TYPES).run(FIRST, Second.TWIN);
        assertThat(describe(run)).isEqualTo("");
        assertThat(run.bit()).isTrue();
        assertThat(run.canarySeen()).isTrue();
    }

    static Stream<String> shippedScenario_holdsAndBites() {
        return WHOLE ? ScenarioFiles.SHIPPED.stream() : Stream.of("leader-loss");
    }

    @Test
    void sameSeed_sameRun() {
        Scenario swarm = ScenarioFiles.shipped("swarm").orElseThrow();
        ChaosRun chaos = new ChaosRun(TWICE > 1 ? swarm : swarm.withLoad(Load.USUAL.withJobs(20)), TYPES);
        Set<Long> digests = new HashSet<>();
        for (long seed = FIRST; seed < FIRST + TWICE; seed++) {
            Checked run = chaos.run(seed, Second.SAME);
            assertThat(describe(run)).isEmpty();
            assertThat(run.verdicts()).extracting(Verdict::checker).contains("rerun");
            digests.add(run.result().digest());
        }
        assertThat(digests)
                .hasSize(TWICE)
                .doesNotContain(chaos.run(FIRST + TWICE, Second.NONE).result().digest());
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
