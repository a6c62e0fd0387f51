package dev.cella.agent.keeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The control groups that agents left behind which ended with all their processes, as in a container that was killed. A later
 * keeper removes those of its folder; this is for a folder that no later agent gets.
 */
public final class LeftGroups {
    private LeftGroups() {}

    /** Removes the groups that the journals below the folder name, with what is still in them. */
    public static void remove(Path folder) {
        for (Path attempt : attempts(folder)) {
            TaskGroup.removeLeft(Journal.groupFolders(attempt));
        }
    }

    private static List<Path> attempts(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.endsWith("journal"))
                    .map(Path::getParent)
                    .toList();
        } catch (IOException | UncheckedIOException gone) {
            return List.of();
        }
    }
}
