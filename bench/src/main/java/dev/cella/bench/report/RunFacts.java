package dev.cella.bench.report;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * The time and the machine of a run: the facts that every kept run has.
 *
 * @param loadAverage of the last minute before, including other processes
 * @param readNanos how long one thread waits for a number at a random place of 16 MiB. It rises while other guests of the host use
 *     the caches
 */
public record RunFacts(
        Instant begun, int processors, long memoryMib, String java, double loadAverage, double readNanos) {
    private static final long MIB = 1 << 20;

    /** Numbers in a line of a cache. */
    private static final int LINE = 16;

    private static final int LINES = 1 << 18;

    /** The first does not count: it is compiled meanwhile. */
    private static final int ROUNDS = 8;

    /** As a bench begins. */
    public static RunFacts at(Instant begun) {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new RunFacts(
                begun.truncatedTo(ChronoUnit.SECONDS),
                Runtime.getRuntime().availableProcessors(),
                system.getTotalMemorySize() / MIB,
                System.getProperty("java.version"),
                system.getSystemLoadAverage(),
                timeReads());
    }

    /** Each number says where the next one is, so a processor cannot read ahead. */
    private static double timeReads() {
        int[] next = ring(new Random(1));
        double[] nanos = new double[ROUNDS];
        int place = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long begin = System.nanoTime();
            for (int read = 0; read < LINES; read++) {
                place = next[place];
            }
            nanos[round] = (double) (System.nanoTime() - begin) / LINES;
            if (place != 0) {
                throw new AssertionError("the ring of " + LINES + " lines ends at " + place);
            }
        }
        Arrays.sort(nanos, 1, ROUNDS);
        return nanos[ROUNDS / 2];
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

    /** The run in JSON: these facts, and then what the bench found. */
    public Map<String, Object> with(String command, Map<String, Object> found) {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("bench", found.getOrDefault("bench", ""));
        run.put("date", begun.toString());
        SourceCommit.find().ifPresent(commit -> run.put("commit", commit));
        run.put("command", command);
        run.put("processors", processors);
        run.put("memoryMib", memoryMib);
        run.put("java", java);
        run.put("loadAverage", loadAverage);
        run.put("readNanos", readNanos);
        run.putAll(found);
        return run;
    }
}
