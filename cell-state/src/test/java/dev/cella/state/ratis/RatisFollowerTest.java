package dev.cella.state.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.impl.ServerImplUtils;
import org.apache.ratis.server.protocol.TermIndex;
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

    private static OptionalInt turn(String self, TermIndex own, Map<String, TermIndex> others) {
        Map<RaftPeerId, TermIndex> ends = new HashMap<>();
        others.forEach((name, end) -> ends.put(RaftPeerId.valueOf(name), end));
        return RatisFollower.turn(RaftPeerId.valueOf(self), own, ends);
    }

    @Test
    void followersWithEqualLogs_standInTheOrderOfTheirNames() {
        TermIndex end = TermIndex.valueOf(3, 70);
        assertThat(turn("r1", end, Map.of("r2", end))).hasValue(0);
        assertThat(turn("r2", end, Map.of("r1", end))).hasValue(1);
    }

    @Test
    void followerWithTheLongestLog_standsFirst() {
        TermIndex end = TermIndex.valueOf(3, 70);
        assertThat(turn("r2", end, Map.of("r1", TermIndex.valueOf(3, 69)))).hasValue(0);
        assertThat(turn("r1", TermIndex.valueOf(3, 69), Map.of("r2", end))).isEmpty();
        assertThat(turn("r1", end, Map.of("r2", TermIndex.valueOf(4, 5)))).isEmpty();
    }
}
