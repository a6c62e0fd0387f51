package dev.cella.state.ratis;

import dev.cella.state.core.DamagedLogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The segments of a log on disk, by their names. Ratis waits silently and forever for a missing entry, because it expects a
 * snapshot.
 *
 * @param all in the order of the log
 */
record LogSegments(List<Segment> all) {
    private static final Pattern NAME = Pattern.compile("log_(?:inprogress_(\\d+)|(\\d+)-(\\d+))");

    LogSegments {
        all = List.copyOf(all);
    }

    /**
     * One file of the log.
     *
     * @param first the index of its first entry
     * @param last the index of its last entry; empty for the open file
     */
    record Segment(Path file, long first, OptionalLong last) {
        boolean isOpen() {
            return last.isEmpty();
        }

        private static Segment of(Path file, Matcher name) {
            return name.group(1) != null
                    ? new Segment(file, Long.parseLong(name.group(1)), OptionalLong.empty())
                    : new Segment(file, Long.parseLong(name.group(2)), OptionalLong.of(Long.parseLong(name.group(3))));
        }
    }

    static LogSegments list(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return new LogSegments(List.of());
        }
        try (Stream<Path> files = Files.list(folder)) {
            return new LogSegments(files.flatMap(LogSegments::segment)
                    .sorted(Comparator.comparingLong(Segment::first))
                    .toList());
        }
    }

    private static Stream<Segment> segment(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() ? Stream.of(Segment.of(file, name)) : Stream.empty();
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** The index of the first kept entry; larger than any index if there is none. */
    long firstIndex() {
        return isEmpty() ? Long.MAX_VALUE : all.get(0).first();
    }

    /** Each segment begins where the previous one ends. */
    void checkNoneIsMissing() throws DamagedLogException {
        for (int place = 1; place < all.size(); place++) {
            Segment before = all.get(place - 1);
            Segment next = all.get(place);
            if (before.isOpen() || next.first() != before.last().getAsLong() + 1) {
                throw new DamagedLogException(
                        next.file(),
                        0,
                        "it begins with entry %d, and %s, the file before it, does not end with entry %d"
                                .formatted(next.first(), before.file().getFileName(), next.first() - 1));
            }
        }
    }
}
