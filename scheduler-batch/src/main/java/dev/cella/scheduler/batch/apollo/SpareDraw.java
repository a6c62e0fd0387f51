package dev.cella.scheduler.batch.apollo;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Which opportunistic tasks a machine starts when it has room and no regular task is in its queue (3.5, "Randomized Allocation
 * Mechanism"): at random by weight, whenever they came, until none fits.
 */
public final class SpareDraw {
    /** An opportunistic task in the machine's queue. */
    public record Entry(int task, double weight, long cpuMilli, long memoryMib) {
        public Entry {
            if (!(weight > 0)) {
                throw new IllegalArgumentException("a weight is above 0, not " + weight);
            }
        }
    }

    private SpareDraw() {}

    /** The tasks to start, in the order in which they were drawn. */
    public static List<Entry> draw(List<Entry> queue, long freeCpuMilli, long freeMemoryMib, RandomGenerator random) {
        List<Entry> left = new ArrayList<>(queue);
        List<Entry> drawn = new ArrayList<>();
        long cpuMilli = freeCpuMilli;
        long memoryMib = freeMemoryMib;
        while (!left.isEmpty()) {
            Entry entry = left.remove(place(left, random));
            if (entry.cpuMilli() <= cpuMilli && entry.memoryMib() <= memoryMib) {
                drawn.add(entry);
                cpuMilli -= entry.cpuMilli();
                memoryMib -= entry.memoryMib();
            }
        }
        return drawn;
    }

    private static int place(List<Entry> entries, RandomGenerator random) {
        double drawn = random.nextDouble()
                * entries.stream().mapToDouble(Entry::weight).sum();
        int place = 0;
        while (place < entries.size() - 1 && drawn >= entries.get(place).weight()) {
            drawn -= entries.get(place++).weight();
        }
        return place;
    }
}
