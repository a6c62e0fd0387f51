package dev.cella.state.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.impl.ServerImplUtils;
import org.junit.jupiter.api.Test;

/** The members that may stand for election before the time-out. They were changed last by entry 7. */
class RatisFollowerTest {
    private static final RaftConfiguration SETTLED = members(List.of("r1", "r2", "r3"), List.of());

    private static RaftConfiguration members(List<String> now, List<String> before) {
        return ServerImplUtils.newRaftConfiguration(peers(now), List.of(), 7, peers(before), List.of());
    }

    private static List<RaftPeer> peers(List<String> names) {
        return names.stream()
                .map(name -> RaftPeer.newBuilder()
                        .setId(name)
                        .setAddress("127.0.0.1:1")
                        .build())
                .toList();
    }

    private static boolean mayStand(String name, RaftConfiguration members, long committed) {
        return RatisFollower.mayStand(RaftPeerId.valueOf(name), members, committed);
    }

    @Test
    void memberOfASettledLog_mayStand() {
        assertThat(mayStand("r2", SETTLED, 7)).isTrue();
    }

    /** It follows a leader, and has no vote. Ratis closes it if it stands. */
    @Test
    void replicaThatIsJoining_mayNot() {
        assertThat(mayStand("r4", SETTLED, 7)).isFalse();
    }

    @Test
    void whileTheMembersChange_nobodyMay() {
        RaftConfiguration changing = members(List.of("r1", "r2", "r4"), List.of("r1", "r2", "r3"));
        assertThat(mayStand("r2", changing, 9)).isFalse();
        assertThat(mayStand("r2", SETTLED, 6)).as("the change is not committed").isFalse();
    }
}
