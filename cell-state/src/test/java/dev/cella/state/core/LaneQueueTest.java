package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaneQueueTest {
    private static final int HALF_A_TURN = LaneQueue.TURN_BYTES / 2;

    private final LaneQueue<Waits> queue = new LaneQueue<>();

    private record Waits(String name, int bytes) implements LaneQueue.Sized {}

    private void add(long owner, String name, int bytes) {
        queue.add(owner, new Waits(name, bytes));
    }

    private List<String> takeAll() {
        List<String> taken = new ArrayList<>();
        for (Waits next = queue.pollUpTo(Integer.MAX_VALUE); next != null; next = queue.pollUpTo(Integer.MAX_VALUE)) {
            taken.add(next.name());
        }
        return taken;
    }

    @Test
    void ownersTakeTurnsByBytes_eachInItsOwnOrder() {
        for (int number = 1; number <= 6; number++) {
            add(7, "large-" + number, HALF_A_TURN);
        }
        add(8, "small-1", 1);
        add(8, "small-2", 1);
        add(9, "last", 1);

        assertThat(takeAll())
                .containsExactly(
                        "large-1", "large-2", "small-1", "small-2", "last", "large-3", "large-4", "large-5", "large-6");
    }

    @Test
    void oneOwner_isServedInOrder() {
        for (int number = 1; number <= 5; number++) {
            add(0, "c-" + number, LaneQueue.TURN_BYTES);
        }

        assertThat(takeAll()).containsExactly("c-1", "c-2", "c-3", "c-4", "c-5");
    }

    @Test
    void whatDoesNotFit_waits_andNothingOvertakesIt() {
        add(7, "large", 100);
        add(8, "small", 1);

        assertThat(queue.pollUpTo(99)).isNull();
        assertThat(queue.size()).isEqualTo(2);
        assertThat(queue.bytes()).isEqualTo(101);
        assertThat(takeAll()).containsExactly("large", "small");
        assertThat(queue.size()).isZero();
        assertThat(queue.bytes()).isZero();
    }
}
