package dev.cella.state.core;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/**
 * Makes files (0600) and directories (0700) that other users of the machine cannot read: the log contains the environments of
 * all jobs.
 *
 * <p>A file system without POSIX permissions keeps its own rules.
 */
public final class OwnersOnly {
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

    private OwnersOnly() {}

    /** Makes the directory and its parents. The directory itself is closed to others even if it existed before. */
    public static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory);
        set(directory, DIRECTORY);
    }

    /** Opens a file, which is closed to others from its first moment on. */
    static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.of(options), attributes(file));
    }

    private static FileAttribute<?>[] attributes(Path file) throws IOException {
        Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a directory");
        return isPosix(directory)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(FILE)}
                : new FileAttribute<?>[0];
    }

    private static void set(Path path, Set<PosixFilePermission> permissions) throws IOException {
        if (isPosix(path) && !Files.getPosixFilePermissions(path).equals(permissions)) {
            Files.setPosixFilePermissions(path, permissions);
        }
    }

    private static boolean isPosix(Path path) throws IOException {
        return Files.getFileStore(path).supportsFileAttributeView(PosixFileAttributeView.class);
    }
}
