package dev.cella.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.agent.guard.TaskProcesses.Leader;
import org.junit.jupiter.api.Test;

class WatchListTest {
    private final WatchList list = new WatchList(5_000_000);

    @Test
    void watch_isAnswered_andExpectsMoreUntilLed() {
        assertThat(list.on("watch a-1.0", 0)).contains("watching a-1.0");
        assertThat(list.expectsMore()).isTrue();
        assertThat(list.on("led a-1.0 42 77", 0)).isEmpty();
        assertThat(list.expectsMore()).isFalse();
        assertThat(list.tasks()).containsExactly(TaskProcesses.expected("a-1.0").ledBy(new Leader(42, 77)));
    }

    @Test
    void watch_again_keepsTheLeader() {
        list.on("watch a-1.0", 0);
        list.on("led a-1.0 42 77", 0);
        assertThat(list.on("watch a-1.0", 0)).contains("watching a-1.0");
        assertThat(list.expectsMore()).isFalse();
    }

    @Test
    void forget_removes() {
        list.on("watch a-1.0", 0);
        list.on("forget a-1.0", 0);
        assertThat(list.tasks()).isEmpty();
    }

    @Test
    void renew_countsFromWhenItIsRead() {
        assertThat(list.leaseLeftNanos(1_000_000)).isEqualTo(4_000_000);
        list.on("renew 10", 2_000_000);
        assertThat(list.leaseLeftNanos(3_000_000)).isEqualTo(9_000_000);
    }

    @Test
    void unknownLine_isRefused() {
        assertThatThrownBy(() -> list.on("dance", 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
