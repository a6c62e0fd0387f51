package dev.cella.chaos.wholecell;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What is on disk of a replica's log, seen from outside by the names of its files. */
final class LogFiles {
    private static final Pattern NAME = Pattern.compile("log_(?:inprogress_)?(\\d+)(?:-\\d+)?");

    private LogFiles() {}

    /** The first entry of the oldest file. */
    static long oldest(Path data) {
        return firstEntries(data).stream().mapToLong(Long::longValue).min().orElse(0);
    }

    /** The first entry of the newest file. */
    static long newest(Path data) {
        return firstEntries(data).stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private static List<Long> firstEntries(Path data) {
        try (Stream<Path> files = Files.walk(data.resolve("log"))) {
            return files.map(file -> NAME.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(name -> Long.parseLong(name.group(1)))
                    .toList();
        } catch (IOException | UncheckedIOException movedMeanwhile) {
            return List.of();
        }
    }

    /** From now on no further file of the log can be made: there is a file where its directory was. */
    static void makeUnwritable(Path data) throws IOException {
        Path current;
        try (Stream<Path> groups = Files.walk(data.resolve("log"), 2)) {
            current = groups.filter(path -> path.getFileName().toString().equals("current"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.move(current, current.resolveSibling("away"));
        Files.writeString(current, "not a directory");
    }
}
