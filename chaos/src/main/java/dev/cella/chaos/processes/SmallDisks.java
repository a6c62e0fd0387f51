package dev.cella.chaos.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Disks in memory whose size can change while they are used, in the mount namespace of an {@link Enclosure}. */
final class SmallDisks {
    /** More than the free space that a server needs to start; unwritten space takes no memory. */
    private static final String ROOMY = "4g";

    private static final int ROOM_LEFT_KIB = 64;

    private SmallDisks() {}

    static void mount(Path path) {
        try {
            Files.createDirectories(path);
        } catch (IOException failure) {
            throw new UncheckedIOException("making " + path, failure);
        }
        Tool.run("mount", "-t", "tmpfs", "-o", "size=" + ROOMY, "none", path.toString());
    }

    /** Leaves almost no room beyond the present content. */
    static void fill(Path path) {
        long usedKib = Long.parseLong(Tool.run("df", "-k", "--output=used", path.toString())
                .lines()
                .reduce("", (a, b) -> b)
                .strip());
        Tool.run("mount", "-o", "remount,size=" + (usedKib + ROOM_LEFT_KIB) + "k", "none", path.toString());
    }

    static void free(Path path) {
        Tool.run("mount", "-o", "remount,size=" + ROOMY, "none", path.toString());
    }
}
