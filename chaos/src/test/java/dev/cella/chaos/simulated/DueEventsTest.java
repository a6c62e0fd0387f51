package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DueEventsTest {
    private static final int EVENTS = 5_000;
    private static final long END = 1_000;

    /** One event that was put on the heap, by the time at which it is due. */
    private record Put(long atNanos, int order) {}

    private final DueEvents heap = new DueEvents();
    private final List<Put> put = new ArrayList<>();
    private final List<Put> happened = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 1", "4, 100000", "5, 100000", "6, 7000000"})
    void events_happenInOrderOfTime_thenOfArrival(long seed, long unit) {
        long end = END * unit;
        SplittableRandom random = new SplittableRandom(seed);
        for (int first = 0; first < EVENTS / 2; first++) {
            after(random.nextLong(END) * unit, random, unit);
        }
        heap.runUntil(end / 2);
        assertThat(happened).allMatch(event -> event.atNanos() <= end / 2);
        heap.runUntil(2 * end);

        List<Put> sorted = new ArrayList<>(put);
        sorted.sort(Comparator.comparingLong(Put::atNanos).thenComparingInt(Put::order));
        assertThat(happened).hasSize(EVENTS).isEqualTo(sorted);
        assertThat(heap.events()).isEqualTo(EVENTS);
        assertThat(heap.nowNanos()).isEqualTo(2 * end);
    }

    /** Each event puts another one on the heap when it happens, while there are few. */
    private void after(long delayNanos, SplittableRandom random, long unit) {
        Put event = new Put(heap.nowNanos() + delayNanos, put.size());
        put.add(event);
        heap.after(delayNanos, () -> {
            happened.add(event);
            assertThat(heap.nowNanos()).isEqualTo(event.atNanos());
            if (put.size() < EVENTS) {
                after(random.nextLong(20) * unit, random, unit);
            }
        });
    }
}
