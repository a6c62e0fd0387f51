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
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A follower with a time-out of one second. Its leader's place is a socket, open or closed. */
class LeaderWatchTest {
    private final List<String> stoodAfter = new ArrayList<>();
    private ServerSocket door;
    private Optional<Followed> leader = Optional.empty();
    private OptionalInt turn = OptionalInt.of(0);
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
                    public OptionalInt turn(String deadLeader, Duration patience) {
                        return turn;
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

    private boolean look(long silentMillis) {
        leader = Optional.of(new Followed("r1", "127.0.0.1:" + door.getLocalPort(), Duration.ofMillis(silentMillis)));
        return watch.look();
    }

    @Test
    void silentLeaderThatRefusesConnections_isDead() throws IOException {
        door.close();

        assertThat(look(500)).isTrue();
        assertThat(stoodAfter).containsExactly("r1");
    }

    @Test
    void silentLeaderThatListens_isOnlySlow() {
        assertThat(look(5_000)).isFalse();
    }

    @Test
    void leaderThatIsHeard_isNotAsked() throws IOException {
        door.close();

        assertThat(look(440)).isFalse();
    }

    @Test
    void secondFollower_waitsForTheFirst() throws IOException {
        door.close();
        turn = OptionalInt.of(1);

        assertThat(look(500)).isFalse();
        assertThat(look(700)).isTrue();
    }

    @Test
    void followerWithAShorterLogThanAnother_doesNotStand() throws IOException {
        door.close();
        turn = OptionalInt.empty();

        assertThat(look(700)).isFalse();
        assertThat(stoodAfter).isEmpty();
    }

    @Test
    void memberWithoutALeader_doesNotStand() {
        assertThat(watch.look()).isFalse();
        assertThat(stoodAfter).isEmpty();
    }
}
