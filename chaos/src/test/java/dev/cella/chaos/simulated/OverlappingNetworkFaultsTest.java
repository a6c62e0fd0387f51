package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two faults at once on one connection: the end of the first does not heal the second. */
class OverlappingNetworkFaultsTest {
    private static final Scenario SWARM = ScenarioFiles.shipped("swarm").orElseThrow();

    private final SimulatedCell cell = new SimulatedCell(SWARM, 1, SchedulerTypes.installed());
    private final CoreFaults faults = new CoreFaults(cell, cell.split());

    @Test
    void cutTwice_isConnectedAfterTheSecondIsHealed() {
        Runnable cut = begin(FaultKind.CUT, "r1");
        Runnable oneWay = begin(FaultKind.ONE_WAY_CUT, "r1");
        cut.run();
        assertThat(reaches("r1", "r2")).isTrue();
        assertThat(reaches("r2", "r1")).isFalse();
        oneWay.run();
        assertThat(reaches("r2", "r1")).isTrue();
    }

    @Test
    void cutInACutRing_whenItIsHealed_isAPartOfTheRingAgain() {
        Runnable ring = begin(FaultKind.RING_CUT, "all");
        Runnable cut = begin(FaultKind.CUT, "r1");
        cut.run();
        assertThat(reaches("r1", "r2")).isTrue();
        assertThat(reaches("r1", "r3")).isFalse();
        ring.run();
        assertThat(reaches("r1", "r3")).isTrue();
    }

    /** In its second second, the flapping fault is healed while it cuts nothing. */
    @Test
    void flappingWhileCutOff_staysCutOff() {
        Runnable flapping = begin(FaultKind.FLAPPING_CUT, "r1");
        Runnable cut = begin(FaultKind.CUT, "r1");
        cell.runUntil(1_500);
        assertThat(reaches("r1", "r2")).isFalse();
        flapping.run();
        assertThat(reaches("r1", "r2")).isFalse();
        cut.run();
        assertThat(reaches("r1", "r2")).isTrue();
    }

    @Test
    void lossyTwice_isSoundAfterTheSecondIsHealed() {
        Runnable first = begin(FaultKind.LOSSY_NETWORK, "all");
        Runnable second = begin(FaultKind.LOSSY_NETWORK, "all");
        first.run();
        assertThat(passed(200)).isNotEqualTo(200);
        second.run();
        assertThat(passed(200)).isEqualTo(200);
    }

    @Test
    void repliesLostTwice_areGivenAfterTheSecondIsHealed() {
        Runnable first = begin(FaultKind.LOST_REPLIES, "all");
        Runnable second = begin(FaultKind.LOST_REPLIES, "all");
        first.run();
        assertThat(repliesLost(200)).isPositive();
        second.run();
        assertThat(repliesLost(200)).isZero();
    }

    /** Returns what heals it. */
    private Runnable begin(FaultKind kind, String on) {
        return faults.begin(new PlannedFault(kind, on, 0, 1)).orElseThrow().heal();
    }

    private boolean reaches(String from, String to) {
        boolean[] received = {false};
        cell.network().send(process(from), process(to), () -> received[0] = true);
        runForAWhile();
        return received[0];
    }

    private int passed(int messages) {
        int[] received = {0};
        IntStream.range(0, messages)
                .forEach(each -> cell.network().send(process("r1"), process("r2"), () -> received[0]++));
        runForAWhile();
        return received[0];
    }

    private long repliesLost(int replies) {
        return IntStream.range(0, replies)
                .filter(each -> cell.losesReplyTo(process("r1")))
                .count();
    }

    private void runForAWhile() {
        cell.runUntil(cell.heap().nowMillis() + 100);
    }

    private SimulatedProcess process(String name) {
        return cell.replicas().stream()
                .map(SimulatedReplica::process)
                .filter(process -> process.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
