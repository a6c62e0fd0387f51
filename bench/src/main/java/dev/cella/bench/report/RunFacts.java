package dev.cella.bench.report;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The time and the machine of a run: the facts that every kept run has.
 *
 * @param loadAverage of the last minute before, including other processes
 */
public record RunFacts(
        Instant begun, int processors, long memoryMib, String java, double loadAverage, MachineSpeed speed) {
    private static final long MIB = 1 << 20;

    /** As a bench begins. */
    public static RunFacts at(Instant begun) {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new RunFacts(
                begun.truncatedTo(ChronoUnit.SECONDS),
                Runtime.getRuntime().availableProcessors(),
                system.getTotalMemorySize() / MIB,
                System.getProperty("java.version"),
                system.getSystemLoadAverage(),
                MachineSpeed.measure());
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
        run.put("readNanos", speed.readNanos());
        run.put("sortMicros", speed.sortMicros());
        run.putAll(found);
        return run;
    }
}
