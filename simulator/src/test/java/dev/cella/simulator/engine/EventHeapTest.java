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

    /** The order in which Python's heapq gave the same events, each smaller than every other one at its time. */
    @Test
    void eventsAtOneTime_byHeap_happenAsInPythonsHeap() {
        EventHeap byHeap = new EventHeap(EventHeap.Ties.BY_HEAP);
        List<Integer> happened = new ArrayList<>();
        int[] times = {5, 5, 3, 5, 5, 3, 5, 5, 7, 5};
        for (int i = 0; i < times.length; i++) {
            int number = i;
            byHeap.at(times[i], () -> {
                happened.add(number);
                if (happened.size() == 4) {
                    addFour(byHeap, happened);
                }
            });
        }
        byHeap.runUntil(10);

        assertThat(happened).containsExactly(5, 2, 9, 4, 13, 7, 0, 12, 3, 1, 11, 10, 6, 8);
    }

    private static void addFour(EventHeap heap, List<Integer> happened) {
        for (int i = 10; i < 14; i++) {
            int number = i;
            heap.at(5, () -> happened.add(number));
        }
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
    void progress_isToldBesideTheEvents_upToTheEnd() {
        List<String> seen = new ArrayList<>();
        heap.tellEach(10, time -> seen.add("at " + time));
        heap.at(15, () -> seen.add("event"));
        heap.runUntil(30);

        assertThat(seen).containsExactly("at 10", "event", "at 20", "at 30");
    }

    @Test
    void past_cannotBeChanged() {
        heap.runUntil(5);

        assertThatThrownBy(() -> heap.at(4, () -> {})).isInstanceOf(IllegalArgumentException.class);
    }
}
