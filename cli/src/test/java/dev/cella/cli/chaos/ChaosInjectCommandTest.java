package dev.cella.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.processes.LiveTarget;
import dev.cella.chaos.processes.LiveTarget.Role;
import dev.cella.client.proto.CellReplica;
import dev.cella.client.proto.CellSummary;
import java.time.Instant;
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

    private static List<String> names(String on, List<LiveTarget> fitting, CellSummary cell) {
        return ChaosInjectCommand.chosen(on, Role.SERVER, fitting, cell).stream()
                .map(LiveTarget::name)
                .toList();
    }

    private static LiveTarget target(String name, Role role) {
        return new LiveTarget(1, Instant.EPOCH, Set.of(role), name, List.of(), false);
    }

    private static CellSummary cell(String leader, String... replicas) {
        CellSummary.Builder cell = CellSummary.newBuilder().setLeader(leader);
        for (String name : replicas) {
            cell.addReplicas(CellReplica.newBuilder().setName(name));
        }
        return cell.build();
    }
}
