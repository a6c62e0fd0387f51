package dev.cella.agent.keeper;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Removes one folder and all that it can of the content.
 *
 * <h2>Links</h2> A process may still change the folder. So each directory is opened by its name in its parent, which is open,
 * and never through a link: a link that takes the place of a directory does not lead the removal out of the folder.
 *
 * <h2>Permissions</h2> A task may close directories to itself, as the programs of Go do with their modules. The owner gets all
 * rights to a directory before it is opened.
 *
 * <h2>Depth</h2> Each open directory costs two file descriptors, and a task can make more directories in each other than a
 * process may have of those. A directory below too many others is moved to the top, and removed in another round.
 */
final class FolderRemoval {
    private static final int OPEN_MAX = 32;
    private static final int ROOT = 0;
    private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rwx------");

    private final Path folder;
    private @Nullable SecureDirectoryStream<Path> top;
    private boolean moved;
    private @Nullable IOException failure;

    private FolderRemoval(Path folder) {
        this.folder = folder;
    }

    /** Removes all that it can, and then throws the first failure. */
    static void remove(Path folder) throws IOException {
        new FolderRemoval(folder.toAbsolutePath()).remove();
    }

    private void remove() throws IOException {
        Path above = Objects.requireNonNull(folder.getParent(), "the root cannot be removed");
        try (DirectoryStream<Path> opened = Files.newDirectoryStream(above)) {
            if (!(opened instanceof SecureDirectoryStream<Path> parent)) {
                throw new IOException("this system cannot open a directory in an open one: " + above);
            }
            do {
                moved = false;
                failure = null;
                remove(parent, folder, 0);
            } while (moved);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void remove(SecureDirectoryStream<Path> parent, Path path, int depth) {
        try {
            BasicFileAttributeView attributes = parent.getFileAttributeView(
                    path.getFileName(), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
            if (attributes.readAttributes().isDirectory()) {
                removeDirectory(parent, path, depth);
            } else {
                parent.deleteFile(path.getFileName());
            }
        } catch (NoSuchFileException gone) {
            // as it should be
        } catch (IOException refused) {
            if (failure == null) {
                failure = new IOException("cannot remove " + path, refused);
            }
        }
    }

    private void removeDirectory(SecureDirectoryStream<Path> parent, Path directory, int depth) throws IOException {
        giveToOwner(parent, directory);
        if (depth == OPEN_MAX) {
            moveToTop(parent, directory);
            return;
        }
        try (SecureDirectoryStream<Path> opened =
                parent.newDirectoryStream(directory.getFileName(), LinkOption.NOFOLLOW_LINKS)) {
            if (depth == 0) {
                top = opened;
            }
            for (Path path : opened) {
                remove(opened, path, depth + 1);
            }
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
        parent.deleteDirectory(directory.getFileName());
    }

    /** A directory of another user stays as it is, and may still be readable and empty. */
    private static void giveToOwner(SecureDirectoryStream<Path> parent, Path directory) throws IOException {
        PosixFileAttributeView view = parent.getFileAttributeView(
                directory.getFileName(), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (view.readAttributes().permissions().containsAll(OWN)) {
            return;
        }
        try {
            view.setPermissions(OWN);
        } catch (AccessDeniedException unreadable) {
            giveByPath(directory);
        } catch (IOException notTheOwner) {
            // then opening it says why
        }
    }

    /**
     * A directory that its owner may not read can only be changed by its path, which a process may turn into a link. Only a
     * process of the same user can do that, because nobody else may enter the folder, and it could change that user's files
     * itself. Root never comes here, because it may read all directories, or else must not change what a link names.
     */
    private static void giveByPath(Path directory) throws IOException {
        if (!Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(ROOT)) {
            Files.setPosixFilePermissions(directory, OWN);
        }
    }

    private void moveToTop(SecureDirectoryStream<Path> parent, Path directory) throws IOException {
        parent.move(
                directory.getFileName(),
                Objects.requireNonNull(top, "the top is open"),
                Path.of(UUID.randomUUID().toString()));
        moved = true;
    }
}
