package dev.cella.chaos.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk of its own for one replica, in the mount namespace of an {@link Enclosure}. */
interface ReplicaDisk {
    /** More than the free space that a server needs to start; unwritten space takes nothing. */
    String ROOMY = "4g";

    /** The room on a full disk. */
    int ROOM_LEFT_KIB = 16;

    /** Leaves almost no room beyond the present content. */
    void fill();

    /** There is room again. */
    void free();

    /** Nothing may use it any more. */
    void unmount();

    /** A folder that a disk can be mounted on. */
    static Path madeFolder(Path path) {
        try {
            return Files.createDirectories(path);
        } catch (IOException failure) {
            throw new UncheckedIOException("making " + path, failure);
        }
    }

    /** What {@code df} says of the disk, in KiB. */
    static long kib(Path path, String column) {
        return Long.parseLong(Tool.run("df", "-k", "--output=" + column, path.toString())
                .lines()
                .reduce("", (a, b) -> b)
                .strip());
    }
}
