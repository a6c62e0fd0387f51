package dev.cella.agent.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/**
 * The file in a task's work directory that lists where the tasks of its group run. A reader sees the old content or the new
 * one, never a part.
 *
 * <p>The directory belongs to the task, which may put links there. So the agent makes the file beside the directory, and its
 * rename replaces a link instead of following it.
 */
final class HostsFile {
    private static final String NAME = ".cella-hosts";
    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");

    private HostsFile() {}

    static Path in(Path work) {
        return work.resolve(NAME);
    }

    static void write(Path work, String text) throws IOException {
        Path created = work.resolveSibling(NAME + "-" + UUID.randomUUID());
        try {
            Files.writeString(created, text, StandardOpenOption.CREATE_NEW);
            Files.setPosixFilePermissions(created, READABLE);
            Files.move(created, in(work), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(created);
        }
    }
}
