package dev.cella.agent.keeper;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.BooleanSupplier;

/** Folders with their content. Symbolic links are never followed. */
public final class Folders {
    private Folders() {}

    /**
     * Removes a folder. Does nothing if it does not exist. A failure is thrown after everything else is removed. The owner needs
     * no rights to the directories in it.
     */
    public static void remove(Path folder) throws IOException {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException hasContent) {
            FolderRemoval.remove(folder);
        }
    }

    /** Removes a folder without content. Returns whether it is gone; for any other folder that takes no time. */
    static boolean removeIfEmpty(Path folder) {
        try {
            Files.deleteIfExists(folder);
            return true;
        } catch (IOException hasContent) {
            return false;
        }
    }

    /** The sizes of all files in it; 0 if it is not there. */
    public static long bytesBelow(Path folder) {
        return bytesBelow(folder, () -> true);
    }

    /** The same, as far as it came while that was true. */
    static long bytesBelow(Path folder, BooleanSupplier isWanted) {
        long[] bytes = {0};
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    return isWanted.getAsBoolean() ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    bytes[0] += attributes.size();
                    return isWanted.getAsBoolean() ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException gone) {
            return bytes[0];
        }
        return bytes[0];
    }
}
