package dev.cella.chaos.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What an agent's keeper wrote about each attempt of a machine: that its process began, and that its last process ended. It is
 * read from the agent's own files, so it is independent of what the agent told the cell.
 */
final class AgentJournal {
    /**
     * An attempt that had a process.
     *
     * @param endedMillis when the last process was gone, by the wall clock; empty if one still runs
     */
    record Attempt(
            String machine,
            long job,
            int group,
            int index,
            int attempt,
            long startedMillis,
            OptionalLong endedMillis) {}

    private static final int KEY_PARTS = 5;
    private static final long MILLIS_PER_TICK = 10;

    private AgentJournal() {}

    /**
     * @param untilMillis what ended later still runs
     */
    static List<Attempt> read(Path data, long untilMillis) {
        Path folder = data.resolve("attempts");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Attempt> attempts = new ArrayList<>();
        try (Stream<Path> files = Files.find(
                folder,
                KEY_PARTS + 1,
                (path, facts) -> path.getFileName().toString().equals("journal"))) {
            for (Path file : files.sorted().toList()) {
                read(folder, file, untilMillis, attempts);
            }
            return attempts;
        } catch (IOException failure) {
            throw new UncheckedIOException("reading " + folder, failure);
        }
    }

    private static void read(Path folder, Path file, long untilMillis, List<Attempt> attempts) throws IOException {
        Path key = folder.relativize(file.getParent());
        List<String> lines = Files.readAllLines(file);
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("led") && key.getNameCount() == KEY_PARTS) {
                long lastMillis = Files.getLastModifiedTime(file).toMillis();
                // The process began within its tick: at the tick's beginning another one may still have had its room.
                long ticks = Long.parseLong(words[2]) + 1;
                boolean ended = lastMillis <= untilMillis && lines.stream().anyMatch(each -> each.startsWith("ended "));
                attempts.add(new Attempt(
                        key.getName(0).toString(),
                        number(key, 1),
                        (int) number(key, 2),
                        (int) number(key, 3),
                        (int) number(key, 4),
                        bootMillis() + ticks * MILLIS_PER_TICK,
                        ended ? OptionalLong.of(Files.getLastModifiedTime(file).toMillis()) : OptionalLong.empty()));
            }
        }
    }

    private static long number(Path key, int place) {
        return Long.parseLong(key.getName(place).toString());
    }

    /** The wall clock's time at which the kernel began to count. */
    private static long bootMillis() throws IOException {
        String uptime = Files.readString(Path.of("/proc/uptime")).split(" ", 2)[0];
        return System.currentTimeMillis() - Math.round(Double.parseDouble(uptime) * 1_000);
    }
}
