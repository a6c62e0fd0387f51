package dev.cella.wholecell;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of a replica's log on disk, seen from outside by their names. */
final class LogFiles {
    private static final Pattern NAME = Pattern.compile("log_(?:inprogress_)?(\\d+)(?:-\\d+)?");

    private static final String CURRENT = "current";
    private static final String AWAY = "-away";

    private LogFiles() {}

    /** The first entry of the oldest file. */
    static long oldest(Path data) {
        return firstEntries(data).stream().mapToLong(Long::longValue).min().orElse(0);
    }

    /** The first entry of the newest file. */
    static long newest(Path data) {
        return firstEntries(data).stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** Uses names only, because the log removes files in the meantime. */
    private static List<Long> firstEntries(Path data) {
        try (Stream<Path> files = Files.list(segments(data))) {
            return files.map(file -> NAME.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(name -> Long.parseLong(name.group(1)))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Path segments(Path data) throws IOException {
        return in(data, CURRENT);
    }

    private static Path in(Path data, String name) throws IOException {
        try (Stream<Path> groups = Files.list(data.resolve("log"))) {
            return groups.map(group -> group.resolve(name))
                    .filter(Files::isDirectory)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** From now on no further file of the log can be made: a file is in the place of its directory. */
    static void makeUnwritable(Path data) throws IOException {
        block(segments(data));
    }

    static void makeWritableAgain(Path data) throws IOException {
        unblock(in(data, CURRENT + AWAY).resolveSibling(CURRENT));
    }

    /** Puts a file in the place of the directory. */
    static void block(Path directory) throws IOException {
        Files.move(directory, away(directory));
        Files.writeString(directory, "not a directory");
    }

    static void unblock(Path directory) throws IOException {
        Files.delete(directory);
        Files.move(away(directory), directory);
    }

    private static Path away(Path directory) {
        return directory.resolveSibling(directory.getFileName() + AWAY);
    }
}
