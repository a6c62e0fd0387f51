package dev.cella.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A copy of a directory with everything in it. */
final class TreeCopy {
    private TreeCopy() {}

    /** @param to does not exist yet */
    static void make(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }
}
