package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionRoomTest {
    private final List<Integer> closed = new ArrayList<>();
    private final ConnectionRoom room = new ConnectionRoom(new ConnectionRoom.Sizes(4, 6, 3, 8));

    private void open(int key, String peer) {
        room.opened(key, new ConnectionRoom.Connection() {
            @Override
            public String peer() {
                return peer;
            }

            @Override
            public void close() {
                closed.add(key);
            }
        });
    }

    private boolean asks(int key, String peer) {
        open(key, peer);
        return room.asked(key, false);
    }

    @Test
    void unproven_beyondTheirRoom_oldestOfTheLargestPeerIsClosed() {
        open(1, "a");
        open(2, "b");
        open(3, "b");
        open(4, "b");
        open(5, "a");
        open(6, "c");

        assertThat(closed).containsExactly(2, 1);
        assertThat(room.open()).isEqualTo(4);
    }

    @Test
    void clientThatAsksAtOnce_isServedBesideAnyNumberOfSilentOnes() {
        for (int key = 0; key < 1_000; key++) {
            open(key, "silent");
        }
        assertThat(asks(1_000, "silent")).isTrue();
        assertThat(asks(1_001, "other")).isTrue();
    }

    @Test
    void ordinary_ofOnePeer_haveALimitOfTheirOwn() {
        for (int key = 0; key < 3; key++) {
            assertThat(asks(key, "a")).isTrue();
        }
        assertThat(asks(3, "a")).isFalse();
        assertThat(asks(4, "b")).isTrue();

        room.closed(0);
        assertThat(asks(5, "a")).isTrue();
    }

    @Test
    void parts_haveRoomThatOrdinaryOnesNeverGet() {
        for (int key = 0; key < 6; key++) {
            assertThat(asks(key, "peer" + key)).isTrue();
        }
        assertThat(asks(6, "late")).isFalse();
        room.closed(6);

        open(7, "agent");
        assertThat(room.asked(7, true)).isTrue();
        assertThat(room.asked(7, false)).isTrue();
    }

    @Test
    void ordinary_askingAgain_keepsItsPlace() {
        assertThat(asks(1, "a")).isTrue();
        assertThat(room.asked(1, false)).isTrue();
        assertThat(room.isUnproven(1)).isFalse();
        room.closed(1);
        assertThat(room.open()).isZero();
    }
}
