package dev.cella.agent.keeper;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Makes directories and files that only the agent's user may read. The machine's other users, and tasks that run as one of
 * them, must not see tasks' output and jobs' specifications.
 */
public final class OwnFiles {
    private static final FileAttribute<Set<PosixFilePermission>> OWN =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private OwnFiles() {}

    /** Makes the directory and its parents. The directory itself becomes 0700, even if it existed before. */
    public static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    /** The same in a directory where every user may make files: refuses what another user made there before, and a link. */
    static void createDirectoryAmongOthers(Path directory) throws IOException {
        if (Files.notExists(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(directory);
        }
        requireOwn(directory);
        createDirectories(directory);
    }

    /** The user of this process. */
    public static Object userId() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    /** Refuses a directory that another user may change. */
    public static void requireOwn(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                || !Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                        .equals(userId())) {
            throw new IOException(directory + " belongs to somebody else: remove it");
        }
    }

    /** Makes an empty file with mode 0600, if it does not exist. */
    public static void createFile(Path file) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, OWN);
        }
    }

    /** Opens a file to write to it, and makes it with mode 0600 if it does not exist. */
    static FileChannel open(Path file, OpenOption how) throws IOException {
        return FileChannel.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, how), OWN);
    }
}
