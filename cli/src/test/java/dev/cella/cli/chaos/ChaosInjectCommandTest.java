package dev.cella.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cella.chaos.processes.LiveTarget;
import dev.cella.chaos.processes.LiveTarget.Role;
import dev.cella.chaos.scenario.FaultKind;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.client.proto.CellReplica;
import dev.cella.client.proto.CellSummary;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChaosInjectCommandTest {
    private static final CellSummary ONE = cell("cell", "cell");
    private static final CellSummary THREE = cell("r2", "r1", "r2", "r3");
    private static final CellSummary LEADERLESS =
            THREE.toBuilder().clearLeader().build();

    private static final List<LiveTarget> DEV = List.of(target("dev", Role.SERVER));
    private static final List<LiveTarget> SERVERS =
            List.of(target("r1", Role.SERVER), target("r2", Role.SERVER), target("r3", Role.SERVER));

    @Test
    void followerOfACellOfOneReplica_isNobody() {
        assertThat(names("follower", DEV, ONE)).isEmpty();
        assertThat(ChaosInjectCommand.whyNobody("follower", Role.SERVER, ONE))
                .isEqualTo("the cell has one replica, and no follower");
    }

    @Test
    void leaderOfACellOfOneReplica_isItsServer() {
        assertThat(names("leader", DEV, ONE)).containsExactly("dev");
    }

    @Test
    void leaderOfThree_isTheOneThatLeads() {
        assertThat(names("leader", SERVERS, THREE)).containsExactly("r2");
        assertThat(names("follower", SERVERS, THREE)).containsExactly("r1");
    }

    @Test
    void onlyServerThatAllowsFaults_isNoLeaderForThat() {
        assertThat(names("leader", SERVERS.subList(0, 1), THREE)).isEmpty();
        assertThat(ChaosInjectCommand.whyNobody("leader", Role.SERVER, THREE))
                .isEqualTo("the leader, r2, does not allow faults");
    }

    @Test
    void leaderOfACellWithoutOne_isNobody() {
        assertThat(names("leader", SERVERS, LEADERLESS)).isEmpty();
        assertThat(ChaosInjectCommand.whyNobody("leader", Role.SERVER, LEADERLESS))
                .isEqualTo("the cell has no leader now");
    }

    @Test
    void schedulers_haveNoLeader() {
        List<LiveTarget> schedulers = List.of(target("batch", Role.SCHEDULER));
        assertThat(ChaosInjectCommand.chosen("leader", Role.SCHEDULER, schedulers, THREE))
                .isEmpty();
        assertThat(ChaosInjectCommand.chosen("follower", Role.SCHEDULER, schedulers, THREE))
                .isEmpty();
    }

    /** The others are on other machines, or do not allow faults. */
    @Test
    void majority_isOneOfAllServersOfTheCell() {
        assertThat(names("majority", DEV, ONE)).containsExactly("dev");
        assertThat(names("majority", SERVERS, THREE)).containsExactly("r1", "r2");
        CellSummary five = cell("r1", "r1", "r2", "r3", "r4", "r5");
        assertThat(names("majority", SERVERS, five)).containsExactly("r1", "r2", "r3");
        assertThat(names("majority", SERVERS.subList(0, 2), five)).isEmpty();
        assertThat(ChaosInjectCommand.whyNobody("majority", Role.SERVER, five))
                .isEqualTo("a majority of the cell is 3 servers, and fewer allow faults here");
    }

    @Test
    void faultOfAgents_noAgentAllowsFaults_saysWhatToStart() {
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> ChaosInjectCommand.choose("all", FaultKind.SLOW_AGENT, List.of(), THREE))
                .satisfies(failure -> {
                    assertThat(failure.errors()).containsExactly("no agent of this cell on this machine allows faults");
                    assertThat(failure.hint()).startsWith("start cella dev or cella agent with --chaos");
                });
    }

    @Test
    void leaderOfAgents_isRefusedWithTheNamesOfAgents() {
        List<LiveTarget> agents = List.of(target("m1", Role.AGENT), target("m2", Role.AGENT));
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> ChaosInjectCommand.choose("leader", FaultKind.SLOW_AGENT, agents, THREE))
                .satisfies(failure -> {
                    assertThat(failure.errors()).containsExactly("only servers lead and follow: name one agent");
                    assertThat(failure.hint()).isEqualTo("those for slow-agent: m1, m2");
                });
    }

    private static List<String> names(String on, List<LiveTarget> fitting, CellSummary cell) {
        return ChaosInjectCommand.chosen(on, Role.SERVER, fitting, cell).stream()
                .map(LiveTarget::name)
                .toList();
    }

    private static LiveTarget target(String name, Role role) {
        return new LiveTarget(1, 0, Set.of(role), name, List.of(), false);
    }

    private static CellSummary cell(String leader, String... replicas) {
        CellSummary.Builder cell = CellSummary.newBuilder().setLeader(leader);
        for (String name : replicas) {
            cell.addReplicas(CellReplica.newBuilder().setName(name));
        }
        return cell.build();
    }
}
