package dev.cella.bench.cell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processor time of a JVM's compiler threads, as Linux reports it; empty elsewhere. The JVM itself reports elapsed time,
 * which on a busy machine is mostly waiting for a processor.
 */
final class CompilerThreads {
    /** As {@code /proc} shows names, cut off. */
    private static final String NAME = " Compil";

    private static final long TICK_MILLIS = 10;
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    private CompilerThreads() {}

    static Duration cpu(long pid) throws IOException {
        Path threads = Path.of("/proc", String.valueOf(pid), "task");
        if (!Files.isDirectory(threads)) {
            return Duration.ZERO;
        }
        try (Stream<Path> all = Files.list(threads)) {
            List<Path> listed = all.toList();
            long ticks = 0;
            for (Path thread : listed) {
                ticks += ticks(thread.resolve("stat"));
            }
            return Duration.ofMillis(ticks * TICK_MILLIS);
        }
    }

    /** The name is in brackets and may contain anything; after it the fields are separated by blanks. */
    private static long ticks(Path stat) {
        String line;
        try {
            line = Files.readString(stat);
        } catch (IOException ended) {
            return 0;
        }
        int nameEnd = line.lastIndexOf(')');
        if (!line.substring(line.indexOf('('), nameEnd).contains(NAME)) {
            return 0;
        }
        String[] fields = line.substring(nameEnd + 2).split(" ", -1);
        return Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
    }
}
