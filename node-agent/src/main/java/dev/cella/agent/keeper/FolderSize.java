package dev.cella.agent.keeper;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * Adds up the sizes of all files below one folder, which may change meanwhile. A file that is gone, or in a
 * directory that cannot be read, counts nothing.
 *
 * <h2>Depth</h2> A task can make paths that are longer than the kernel takes. So each directory is opened by its name in its
 * parent, which is open. That costs two file descriptors, so it ends at a depth that no program needs.
 */
final class FolderSize {
    static final int DEPTH_MAX = 100;

    private final BooleanSupplier isWanted;
    private long bytes;
    private boolean isTooDeep;

    private FolderSize(BooleanSupplier isWanted) {
        this.isWanted = isWanted;
    }

    /** Adds them up as long as that is true. */
    static FolderSize of(Path folder, BooleanSupplier isWanted) {
        FolderSize size = new FolderSize(isWanted);
        Path path = folder.toAbsolutePath();
        try (DirectoryStream<Path> above = Files.newDirectoryStream(Objects.requireNonNull(path.getParent()))) {
            if (above instanceof SecureDirectoryStream<Path> parent) {
                size.addDirectory(parent, path.getFileName(), 0);
            }
        } catch (IOException gone) {
            // and with it the folder
        }
        return size;
    }

    private void addDirectory(SecureDirectoryStream<Path> parent, Path name, int depth) {
        if (depth > DEPTH_MAX) {
            isTooDeep = true;
            return;
        }
        try (SecureDirectoryStream<Path> directory = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path path : directory) {
                if (!isWanted.getAsBoolean()) {
                    return;
                }
                add(directory, path.getFileName(), depth);
            }
        } catch (IOException | DirectoryIteratorException gone) {
            // or it cannot be read
        }
    }

    private void add(SecureDirectoryStream<Path> directory, Path name, int depth) {
        try {
            BasicFileAttributes attributes = directory
                    .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
            if (attributes.isDirectory()) {
                addDirectory(directory, name, depth + 1);
            } else {
                bytes += attributes.size();
            }
        } catch (IOException gone) {
            // it takes no place
        }
    }

    /** The sum of all files that were counted. */
    long bytes() {
        return bytes;
    }

    /** Returns whether some of it is too deep to be counted. */
    boolean isTooDeep() {
        return isTooDeep;
    }
}
