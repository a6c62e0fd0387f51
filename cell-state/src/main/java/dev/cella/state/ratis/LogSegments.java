package dev.cella.state.ratis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What of a log is on disk, by the names of its segments. Ratis waits for ever, and silently, for an entry that is not
 * there, in the belief that a snapshot will come.
 */
final class LogSegments {
    private static final Pattern NAME = Pattern.compile("log_(?:inprogress_)?(\\d+)(?:-\\d+)?");

    /** The index of the first entry that is kept; more than any where there is none. */
    static long firstIndex(Path segments) throws IOException {
        if (!Files.isDirectory(segments)) {
            return Long.MAX_VALUE;
        }
        try (Stream<Path> files = Files.list(segments)) {
            return files.map(file -> NAME.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .mapToLong(name -> Long.parseLong(name.group(1)))
                    .min()
                    .orElse(Long.MAX_VALUE);
        }
    }

    private LogSegments() {}
}
