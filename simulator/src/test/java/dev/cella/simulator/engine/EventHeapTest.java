package dev.cella.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class EventHeapTest {
    private final EventHeap heap = new EventHeap();

    @Test
    void events_happenInOrder_andAtOneTimeAsTheyWereAskedFor() {
        Random random = new Random(1);
        List<long[]> happened = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            long[] event = {random.nextInt(1000), i};
            heap.at(event[0], () -> happened.add(event));
        }
        heap.runUntil(2000);

        assertThat(happened)
                .hasSize(10_000)
                .isSortedAccordingTo((a, b) -> a[0] != b[0] ? Long.compare(a[0], b[0]) : Long.compare(a[1], b[1]));
    }

    @Test
    void run_endsAtItsEnd_whatIsDueThenIncluded() {
        List<Long> happened = new ArrayList<>();
        heap.at(10, () -> heap.at(20, () -> happened.add(heap.nowNanos())));
        heap.at(21, () -> happened.add(heap.nowNanos()));
        heap.runUntil(20);

        assertThat(happened).containsExactly(20L);
        assertThat(heap.nowNanos()).isEqualTo(20);
    }

    @Test
    void past_cannotBeChanged() {
        heap.runUntil(5);

        assertThatThrownBy(() -> heap.at(4, () -> {})).isInstanceOf(IllegalArgumentException.class);
    }
}
