package dev.cella.state.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.ratis.LeaderWatch.Followed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A follower with a time-out of one second. Its leader's place is a socket, open or closed. */
class LeaderWatchTest {
    private final List<String> stoodAfter = new ArrayList<>();
    private ServerSocket door;
    private Optional<Followed> leader = Optional.empty();
    private LeaderWatch watch;

    @BeforeEach
    void open() throws IOException {
        door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        watch = new LeaderWatch(
                new LeaderWatch.Follower() {
                    @Override
                    public Optional<Followed> leader() {
                        return leader;
                    }

                    @Override
                    public void stand(String deadLeader) {
                        stoodAfter.add(deadLeader);
                    }
                },
                Duration.ofSeconds(1));
    }

    @AfterEach
    void close() throws IOException {
        door.close();
    }

    private boolean look(long silentMillis, int turn) {
        leader = Optional.of(
                new Followed("r1", "127.0.0.1:" + door.getLocalPort(), Duration.ofMillis(silentMillis), turn));
        return watch.look();
    }

    @Test
    void silentLeaderThatRefusesConnections_isDead() throws IOException {
        door.close();

        assertThat(look(700, 0)).isTrue();
        assertThat(stoodAfter).containsExactly("r1");
    }

    @Test
    void silentLeaderThatListens_isOnlySlow() {
        assertThat(look(5_000, 0)).isFalse();
    }

    @Test
    void leaderThatIsHeard_isNotAsked() throws IOException {
        door.close();

        assertThat(look(550, 0)).isFalse();
    }

    @Test
    void secondFollower_waitsForTheFirst() throws IOException {
        door.close();

        assertThat(look(700, 1)).isFalse();
        assertThat(look(900, 1)).isTrue();
    }

    @Test
    void memberWithoutALeader_doesNotStand() {
        assertThat(watch.look()).isFalse();
        assertThat(stoodAfter).isEmpty();
    }
}
