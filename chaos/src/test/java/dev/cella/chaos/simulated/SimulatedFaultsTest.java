package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.cella.chaos.history.Replay;
import dev.cella.chaos.history.WorldResult;
import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.FaultRun;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.transactions.model.MachineStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What faults of the simulated world do to the cell, and when they say that they had an effect. */
class SimulatedFaultsTest {
    private static final Scenario SWARM = ScenarioFiles.shipped("swarm").orElseThrow();

    @Test
    void hotMachine_isDrainedInTheMiddle_andReadyAgain() {
        WorldResult run = run(new PlannedFault(FaultKind.HOT_MACHINE, "m3", 4_000, 4_000));
        assertThat(run.faults()).extracting(FaultRun::on, FaultRun::bit).containsExactly(tuple("m3", true));
        Replay replay = Replay.of(run.history());
        List<MachineStatus> states = replay.steps().stream()
                .flatMap(step -> step.machines().stream())
                .filter(machine -> machine.name().equals(Optional.of("m3")))
                .map(Replay.MachineFact::status)
                .distinct()
                .toList();
        assertThat(states).contains(MachineStatus.READY, MachineStatus.DRAINING);
        int slot = replay.end().findMachine("m3").orElseThrow();
        assertThat(replay.end().status(slot)).isEqualTo(MachineStatus.READY);
    }

    /** The log of the others reaches back to a replica that was away for a moment only. */
    @Test
    void laggingReplica_isVoid_unlessItGetsACheckpoint() {
        WorldResult run = run(
                new PlannedFault(FaultKind.LAGGING_REPLICA, "r1", 3_000, 100),
                new PlannedFault(FaultKind.LAGGING_REPLICA, "r2", 5_000, 14_000));
        assertThat(run.faults())
                .extracting(FaultRun::on, FaultRun::bit)
                .containsExactly(tuple("r1", false), tuple("r2", true));
    }

    private static WorldResult run(PlannedFault... faults) {
        return new SimulatedRun(SWARM, List.of(faults), 1, SchedulerTypes.installed()).run();
    }
}
