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
 * @param sortMillis the median time in which one thread sorts 100,000 numbers: how fast the machine is now
 */
public record RunFacts(
        Instant begun, int processors, long memoryMib, String java, double loadAverage, double sortMillis) {
    private static final long MIB = 1 << 20;
    private static final int SORTED = 100_000;

    /** The first half of them is for the compiler. */
    private static final int SORTS = 80;

    /** As a bench begins. */
    public static RunFacts at(Instant begun) {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new RunFacts(
                begun.truncatedTo(ChronoUnit.SECONDS),
                Runtime.getRuntime().availableProcessors(),
                system.getTotalMemorySize() / MIB,
                System.getProperty("java.version"),
                system.getSystemLoadAverage(),
                timeSorts());
    }

    private static double timeSorts() {
        int[] numbers = new Random(1).ints(SORTED).toArray();
        long[] nanos = new long[SORTS];
        for (int sort = 0; sort < SORTS; sort++) {
            int[] sorted = numbers.clone();
            long begin = System.nanoTime();
            Arrays.sort(sorted);
            nanos[sort] = System.nanoTime() - begin;
        }
        Arrays.sort(nanos, SORTS / 2, SORTS);
        return nanos[SORTS / 2 + SORTS / 4] / 1e6;
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
        run.put("sortMillis", sortMillis);
        run.putAll(found);
        return run;
    }
}
