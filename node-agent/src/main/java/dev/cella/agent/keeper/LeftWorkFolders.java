package dev.cella.agent.keeper;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The work folders that an earlier keeper left, because it died, or because it could not remove them.
 *
 * <p>A removal may take minutes, and an attempt that starts meanwhile may be the same as an earlier one and have a folder of
 * the same name. So each folder first gets a name of its own beside the others. A keeper finds folders with such names, too: the
 * one before it died while it removed them.
 */
final class LeftWorkFolders {
    private static final String PREFIX = ".left-";

    private LeftWorkFolders() {}

    /**
     * Gives those that exist other names. Returns all that must be removed.
     *
     * @param works the work folders of all attempts that are known
     */
    static List<Path> setAside(Collection<Path> works) {
        works.stream()
                .filter(work -> Files.exists(work, LinkOption.NOFOLLOW_LINKS))
                .forEach(LeftWorkFolders::setAside);
        return works.stream()
                .map(work -> Objects.requireNonNull(work.getParent(), "the root is no work folder"))
                .distinct()
                .flatMap(LeftWorkFolders::asideIn)
                .toList();
    }

    private static void setAside(Path work) {
        try {
            Files.move(work, work.resolveSibling(PREFIX + UUID.randomUUID()), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException stays) {
            // the next keeper tries again
        }
    }

    private static Stream<Path> asideIn(Path parent) {
        File[] found = parent.toFile().listFiles((folder, name) -> name.startsWith(PREFIX));
        return found == null ? Stream.empty() : Arrays.stream(found).map(File::toPath);
    }

    /** Removes them, each as far as that is possible. */
    static void remove(List<Path> folders) {
        for (Path folder : folders) {
            try {
                Folders.remove(folder);
            } catch (IOException stays) {
                // the next keeper tries again
            }
        }
    }
}
