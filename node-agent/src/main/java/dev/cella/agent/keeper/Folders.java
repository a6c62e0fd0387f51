package dev.cella.agent.keeper;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

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

    /** The sizes of all files in it; 0 if it is not there. */
    public static long bytesBelow(Path folder) {
        long[] bytes = {0};
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    bytes[0] += attributes.size();
                    return FileVisitResult.CONTINUE;
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
