package dev.cella.bench.report;

import java.util.Arrays;
import java.util.Random;

/**
 * How fast one thread is on this machine just now. Both figures rise while other guests of the host use its processors and caches.
 *
 * @param readNanos how long it waits for a number at a random place of 16 MiB
 * @param sortMicros how long it takes to sort 10,000 random numbers
 */
record MachineSpeed(double readNanos, double sortMicros) {
    /** Numbers in a line of a cache. */
    private static final int LINE = 16;

    private static final int LINES = 1 << 18;

    /** The first does not count: it is compiled meanwhile. */
    private static final int READ_ROUNDS = 8;

    private static final int SORTED = 10_000;

    /** The sort is compiled after 150 to 250 rounds. */
    private static final int SORT_ROUNDS = 500;

    private static final int SORT_ROUNDS_COUNTED = 100;

    static MachineSpeed measure() {
        return new MachineSpeed(timeReads(), timeSorts());
    }

    /** Each number says where the next one is, so a processor cannot read ahead. */
    private static double timeReads() {
        int[] next = ring(new Random(1));
        double[] nanos = new double[READ_ROUNDS];
        int place = 0;
        for (int round = 0; round < READ_ROUNDS; round++) {
            long begin = System.nanoTime();
            for (int read = 0; read < LINES; read++) {
                place = next[place];
            }
            nanos[round] = (double) (System.nanoTime() - begin) / LINES;
            if (place != 0) {
                throw new AssertionError("the ring of " + LINES + " lines ends at " + place);
            }
        }
        return middle(Arrays.copyOfRange(nanos, 1, READ_ROUNDS));
    }

    /** A number in each line: all lines are one ring, in random order. */
    private static int[] ring(Random random) {
        int[] next = new int[LINES * LINE];
        for (int line = 0; line < LINES; line++) {
            next[line * LINE] = line * LINE;
        }
        for (int line = LINES - 1; line > 0; line--) {
            int other = random.nextInt(line) * LINE;
            int swapped = next[other];
            next[other] = next[line * LINE];
            next[line * LINE] = swapped;
        }
        return next;
    }

    private static double timeSorts() {
        int[] numbers = new Random(1).ints(SORTED).toArray();
        double[] micros = new double[SORT_ROUNDS];
        for (int round = 0; round < SORT_ROUNDS; round++) {
            int[] copy = numbers.clone();
            long begin = System.nanoTime();
            Arrays.sort(copy);
            micros[round] = (System.nanoTime() - begin) / 1e3;
            if (copy[0] > copy[SORTED - 1]) {
                throw new AssertionError("the sorted numbers begin with " + copy[0]);
            }
        }
        return middle(Arrays.copyOfRange(micros, SORT_ROUNDS - SORT_ROUNDS_COUNTED, SORT_ROUNDS));
    }

    private static double middle(double[] times) {
        Arrays.sort(times);
        return times[times.length / 2];
    }
}
