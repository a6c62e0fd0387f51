package dev.cella.state.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.core.LogPeer;
import dev.cella.state.core.PeerStanding;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SuccessorsTest {
    private static final Duration BREAK = Duration.ofSeconds(1);

    private final IdleTime time = new IdleTime();
    private final Successors successors = new Successors(BREAK, time);

    private static PeerStanding standing(String id, long entriesBehind) {
        return new PeerStanding(new LogPeer(id, "127.0.0.1:1", ""), false, entriesBehind, 0);
    }

    private List<String> rank(PeerStanding... standings) {
        return successors.rank(Stream.of(standings).toList()).map(LogPeer::id).toList();
    }

    private void hearFor(Duration duration, String... ids) {
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(BREAK)) {
            for (String id : ids) {
                successors.replied(id);
            }
            time.advance(BREAK);
        }
    }

    @Test
    void rank_oneThatWasAway_comesAfterOneThatWasNot() {
        hearFor(Duration.ofSeconds(10), "r1", "r2");
        hearFor(Duration.ofSeconds(5), "r2");
        hearFor(Duration.ofSeconds(60), "r1", "r2");

        assertThat(rank(standing("r1", 0), standing("r2", 3))).containsExactly("r2", "r1");
    }

    @Test
    void rank_oneThatCameLater_isLast() {
        hearFor(Duration.ofSeconds(3), "r2");
        hearFor(Duration.ofSeconds(3), "r1", "r2");

        assertThat(rank(standing("r0", 0), standing("r1", 0), standing("r2", 0)))
                .containsExactly("r2", "r1", "r0");
    }

    @Test
    void rank_oneThatLacksManyEntries_isLast() {
        hearFor(Duration.ofSeconds(3), "r1");
        hearFor(Duration.ofSeconds(3), "r1", "r2");

        assertThat(rank(
                        standing("r1", Successors.ENTRIES_BEHIND_MAX + 1),
                        standing("r2", Successors.ENTRIES_BEHIND_MAX)))
                .containsExactly("r2", "r1");
    }

    @Test
    void rank_theLeaderAndASilentOne_areNotAmongThem() {
        PeerStanding leader = new PeerStanding(new LogPeer("r1", "127.0.0.1:1", ""), true, 0, 0);
        PeerStanding silent = new PeerStanding(new LogPeer("r2", "127.0.0.1:1", ""), false, 0, Long.MAX_VALUE);

        assertThat(rank(leader, silent, standing("r3", 0))).containsExactly("r3");
    }
}
