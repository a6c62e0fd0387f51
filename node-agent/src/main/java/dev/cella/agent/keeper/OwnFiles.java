package dev.cella.agent.keeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Directories and files that only the agent's user may read. What tasks print, and what their jobs say, is not for the
 * other users of the machine, and tasks run as one of them.
 */
public final class OwnFiles {
    private OwnFiles() {}

    /** Makes the directory and its parents; the directory itself becomes 0700, also if it was there before. */
    public static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    /** Makes an empty file with mode 0600, unless it is there. */
    public static void createFile(Path file) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
    }
}
