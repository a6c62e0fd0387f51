package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.FaultRun;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.chaos.scenario.World;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A fault bites if something met it: it is VOID where nothing was there to break, or where it was too short. */
class FaultsThatBiteTest {
    private static final Scenario SWARM = ScenarioFiles.shipped("swarm").orElseThrow();

    private final SimulatedCell cell = new SimulatedCell(SWARM, 1, SchedulerTypes.installed());
    private final Injector injector = new Injector(cell, cell.split());

    @ParameterizedTest
    @EnumSource(
            value = FaultKind.class,
            names = {"REPLICA_PAUSE", "SQUEEZE", "CLOCK_JUMP", "LOSSY_NETWORK", "SLOW_AGENT", "ZOMBIE_SESSION"})
    void fault_whileNothingHappens_isVoid(FaultKind kind) {
        inject(new PlannedFault(kind, "any", 0, 1));
        assertThat(injector.injected()).extracting(Injector.Injected::bit).containsExactly(false);
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultKind.class,
            names = {"STUBBORN_TASKS", "SURGE", "FULL_CELL", "TWO_GANGS", "ROLLING_RESTART"})
    void fault_whileAllReplicasAreDown_isVoid(FaultKind kind) {
        cell.replicas().forEach(SimulatedReplica::kill);
        inject(new PlannedFault(kind, "any", 0, 3_000));
        assertThat(injector.injected()).extracting(Injector.Injected::bit).containsExactly(false);
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultKind.class,
            names = {"SCHEDULER_KILL", "NODE_LOSS"})
    void fault_onWhatIsDownAlready_isVoid(FaultKind kind) {
        cell.schedulers().forEach(SimulatedScheduler::kill);
        cell.machines().values().forEach(SimulatedMachine::losePower);
        inject(new PlannedFault(kind, "any", 0, 3_000));
        assertThat(injector.injected()).extracting(Injector.Injected::bit).containsExactly(false);
    }

    @Test
    void fault_inARun_bites() {
        assertThat(run(
                        new PlannedFault(FaultKind.STUBBORN_TASKS, "any", 1_000, 3_000),
                        new PlannedFault(FaultKind.SURGE, "any", 1_000, 2_000),
                        new PlannedFault(FaultKind.TWO_GANGS, "any", 1_000, 2_000),
                        new PlannedFault(FaultKind.SQUEEZE, "leader", 2_000, 2_000),
                        new PlannedFault(FaultKind.CLOCK_JUMP, "leader", 4_000, 2_000),
                        new PlannedFault(FaultKind.LOSSY_NETWORK, "all", 6_000, 2_000),
                        new PlannedFault(FaultKind.REPLICA_PAUSE, "leader", 8_000, 2_000),
                        new PlannedFault(FaultKind.SCHEDULER_KILL, "any", 10_000, 2_000),
                        new PlannedFault(FaultKind.NODE_LOSS, "m1", 10_000, 2_000),
                        new PlannedFault(FaultKind.FULL_CELL, "any", 12_000, 2_000),
                        new PlannedFault(FaultKind.ROLLING_RESTART, "all", 14_000, 6_000)))
                .hasSize(11)
                .allSatisfy(fault ->
                        assertThat(fault.bit()).as(fault.kind().words()).isTrue());
    }

    @Test
    void faultsOfLeases_thatAreShorterThanTheLease_areVoid() {
        assertThat(run(
                        new PlannedFault(FaultKind.SLOW_AGENT, "any", 1_000, 1_500),
                        new PlannedFault(FaultKind.ZOMBIE_SESSION, "any", 1_000, 1_500),
                        new PlannedFault(FaultKind.SLOW_AGENT, "any", 5_000, 9_000),
                        new PlannedFault(FaultKind.ZOMBIE_SESSION, "any", 5_000, 9_000)))
                .extracting(FaultRun::kind, FaultRun::bit)
                .containsExactly(
                        tuple(FaultKind.SLOW_AGENT, false),
                        tuple(FaultKind.ZOMBIE_SESSION, false),
                        tuple(FaultKind.SLOW_AGENT, true),
                        tuple(FaultKind.ZOMBIE_SESSION, true));
    }

    /** Otherwise hardly any swarm would show what they do. */
    @Test
    void faultsOfLeases_thatASwarmDraws_areLongerThanTheLease() {
        List<PlannedFault> drawn = LongStream.range(0, 50)
                .boxed()
                .flatMap(seed -> SWARM.faultsOf(seed, World.SIMULATED).stream())
                .toList();
        assertThat(drawn)
                .filteredOn(fault -> fault.kind() == FaultKind.SLOW_AGENT || fault.kind() == FaultKind.ZOMBIE_SESSION)
                .isNotEmpty()
                .allSatisfy(fault -> assertThat(fault.forMillis()).isGreaterThan(6_000));
    }

    private void inject(PlannedFault fault) {
        injector.plan(List.of(fault));
        cell.runUntil(fault.untilMillis() + 1);
    }

    private static List<FaultRun> run(PlannedFault... faults) {
        return new SimulatedRun(SWARM, List.of(faults), 1, SchedulerTypes.installed())
                .run()
                .faults();
    }
}
