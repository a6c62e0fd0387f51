package dev.cella.agent.keeper;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

    /** The sizes of all files in it, as far as they can be counted; 0 if it is not there. */
    public static long bytesBelow(Path folder) {
        return FolderSize.of(folder, () -> true).bytes();
    }

    /** The same, as far as it came in that time. */
    public static long bytesBelow(Path folder, Duration atMost) {
        long start = System.nanoTime();
        return FolderSize.of(folder, () -> System.nanoTime() - start < atMost.toNanos())
                .bytes();
    }

    /** The same, as far as it came while that was true. A folder that is too deep to be counted is as large as can be. */
    static long bytesBelow(Path folder, BooleanSupplier isWanted) {
        FolderSize size = FolderSize.of(folder, isWanted);
        return size.isTooDeep() ? Long.MAX_VALUE : size.bytes();
    }
}
