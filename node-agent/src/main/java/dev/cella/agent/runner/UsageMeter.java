package dev.cella.agent.runner;

import dev.cella.agent.keeper.Folders;
import dev.cella.agent.keeper.TaskGroup;
import dev.cella.agent.logs.OutputFile;
import dev.cella.agent.reconciler.Assignment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures what running attempts take: processor time and memory from their control groups, the size of their work
 * directories, and how much they print. An attempt without control groups is not measured. Owned by the thread that
 * measures.
 */
public final class UsageMeter {
    /** A walk through a work directory may be long, so only some measurements do it. */
    private static final int WALK_EACH = 6;

    private static final long NANOS_A_MILLI_CORE_SECOND = 1_000_000;
    private static final double NANOS_A_SECOND = 1e9;

    /** An attempt to be measured. */
    record Subject(Assignment assignment, TaskGroup group, Path work, Path output, long startedNanos) {}

    /** The resources that an attempt uses. The mean is since its start. */
    public record Measured(
            Assignment assignment,
            long cpuMilli,
            long cpuMilliMean,
            long memoryMib,
            long diskMib,
            long outputBytesPerSecond) {}

    private record Reading(long atNanos, long cpuNanos, long diskBytes, long outputBytes, int count) {}

    private Map<Assignment, Reading> readings = new HashMap<>();

    /** Measures them all. One that is measured for the first time has its mean as its rate. */
    List<Measured> measure(List<Subject> subjects, long nowNanos) {
        Map<Assignment, Reading> next = new HashMap<>();
        List<Measured> measured = new ArrayList<>();
        for (Subject subject : subjects) {
            Reading before =
                    readings.getOrDefault(subject.assignment(), new Reading(subject.startedNanos(), 0, 0, 0, 0));
            Reading now = read(subject, before, nowNanos);
            next.put(subject.assignment(), now);
            measured.add(new Measured(
                    subject.assignment(),
                    cpuMilli(now.cpuNanos - before.cpuNanos, now.atNanos - before.atNanos),
                    cpuMilli(now.cpuNanos, now.atNanos - subject.startedNanos()),
                    subject.group().memoryBytes() >> 20,
                    now.diskBytes >> 20,
                    (long) ((now.outputBytes - before.outputBytes)
                            * NANOS_A_SECOND
                            / Math.max(1, now.atNanos - before.atNanos))));
        }
        readings = next;
        return measured;
    }

    private static Reading read(Subject subject, Reading before, long nowNanos) {
        boolean walks = before.count % WALK_EACH == 0;
        return new Reading(
                nowNanos,
                Math.max(before.cpuNanos, subject.group().cpuNanos().orElse(0)),
                walks ? Folders.bytesBelow(subject.work()) : before.diskBytes,
                Math.max(before.outputBytes, printed(subject.output())),
                before.count + 1);
    }

    private static long printed(Path folder) {
        try {
            return new OutputFile(folder, "stdout").end() + new OutputFile(folder, "stderr").end();
        } catch (IOException gone) {
            return 0;
        }
    }

    private static long cpuMilli(long cpuNanos, long nanos) {
        double seconds = Math.max(1, nanos) / NANOS_A_SECOND;
        return Math.round(cpuNanos / seconds / NANOS_A_MILLI_CORE_SECOND);
    }

    /** So long ago by the clock of the measurements. */
    static long startedNanos(long agoMillis) {
        return System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(agoMillis);
    }
}
