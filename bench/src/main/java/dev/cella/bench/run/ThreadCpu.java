package dev.cella.bench.run;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The processor time of this process by part: its threads by name, without their numbers, and as one part what the JVM itself
 * takes for compiling and for collecting garbage.
 */
final class ThreadCpu {
    private static final String JVM = "(compilers, collector)";
    private static final int PARTS_SHOWN = 12;

    private final Map<Long, Long> nanosByThread = new HashMap<>();
    private final long processNanos;

    private ThreadCpu(long processNanos) {
        this.processNanos = processNanos;
    }

    static ThreadCpu now() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        ThreadCpu now = new ThreadCpu(processNanos());
        for (long id : threads.getAllThreadIds()) {
            now.nanosByThread.put(id, Math.max(0, threads.getThreadCpuTime(id)));
        }
        return now;
    }

    private static long processNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    /** Nanoseconds since then, the largest parts first. */
    static Map<String, Long> since(ThreadCpu before) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        ThreadCpu now = now();
        Map<String, Long> parts = new TreeMap<>();
        long known = 0;
        for (Map.Entry<Long, Long> thread : now.nanosByThread.entrySet()) {
            ThreadInfo info = threads.getThreadInfo(thread.getKey());
            long nanos = thread.getValue() - before.nanosByThread.getOrDefault(thread.getKey(), 0L);
            if (info != null && nanos > 0) {
                parts.merge(part(info.getThreadName()), nanos, Long::sum);
                known += nanos;
            }
        }
        parts.merge(JVM, Math.max(0, now.processNanos - before.processNanos - known), Long::sum);
        return largest(parts);
    }

    private static String part(String thread) {
        return thread.replaceAll("[0-9]+", "N");
    }

    private static Map<String, Long> largest(Map<String, Long> parts) {
        Map<String, Long> largest = new LinkedHashMap<>();
        parts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(PARTS_SHOWN)
                .forEach(part -> largest.put(part.getKey(), part.getValue()));
        return largest;
    }
}
