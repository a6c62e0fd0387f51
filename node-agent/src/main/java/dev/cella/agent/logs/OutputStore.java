package dev.cella.agent.logs;

import dev.cella.agent.keeper.Folders;
import dev.cella.agent.keeper.Journal;
import dev.cella.agent.keeper.OwnFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders of all attempts on this agent's machines, {@code machine/job/group/index/attempt}; those of ended attempts up to
 * a number and a size. Folders that an earlier agent left count too.
 *
 * <p>Any thread may call it; a lock guards the lists.
 */
public final class OutputStore {
    private static final Logger logger = LoggerFactory.getLogger(OutputStore.class);

    private static final int DEPTH = 5;

    /** The folders of an attempt's task, group and job. */
    private static final int ABOVE_ATTEMPT = 3;

    private static final int REMOVED_REMEMBERED_MAX = 10_000;

    private final Path root;
    private final OutputLimits limits;
    /** Oldest first, with the bytes in it. */
    private final Map<Path, Long> ended = new LinkedHashMap<>();

    private long endedBytes;
    private final Set<Path> removed = new LinkedHashSet<>();

    private OutputStore(Path root, OutputLimits limits) {
        this.root = root;
        this.limits = limits;
    }

    public static OutputStore open(Path root, OutputLimits limits) throws IOException {
        OwnFiles.createDirectories(root);
        OutputStore store = new OutputStore(root, limits);
        foldersOldestFirst(root).forEach(store::count);
        store.removeOldest();
        return store;
    }

    private static List<Path> foldersOldestFirst(Path root) throws IOException {
        try (java.util.stream.Stream<Path> paths = Files.walk(root, DEPTH)) {
            return paths.filter(path -> path.getNameCount() == root.getNameCount() + DEPTH && Files.isDirectory(path))
                    .filter(Journal::isEnded)
                    .sorted(Comparator.comparing(OutputStore::lastModified))
                    .toList();
        }
    }

    private static FileTime lastModified(Path path) {
        try {
            return Files.getLastModifiedTime(path);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read the time of " + path, failure);
        }
    }

    /** An empty folder for an attempt that is about to start. */
    public synchronized Path create(AttemptKey key) throws IOException {
        Path folder = key.folder(root);
        remove(folder);
        Files.createDirectories(folder);
        removed.remove(folder);
        uncount(folder);
        return folder;
    }

    /** The folder of all attempts. */
    public Path root() {
        return root;
    }

    /** The path of that attempt's folder, whether it exists or not. */
    public Path folder(AttemptKey key) {
        return key.folder(root);
    }

    /** How much of each stream is kept. */
    public long streamBytesMax() {
        return limits.streamBytesMax();
    }

    /** The attempt has ended; its output is kept for a while. */
    public synchronized void ended(AttemptKey key) {
        count(key.folder(root));
        removeOldest();
    }

    private void count(Path folder) {
        uncount(folder);
        long bytes = Folders.bytesBelow(folder);
        ended.put(folder, bytes);
        endedBytes += bytes;
    }

    private void uncount(Path folder) {
        Long bytes = ended.remove(folder);
        endedBytes -= bytes == null ? 0 : bytes;
    }

    private void removeOldest() {
        while (ended.size() > limits.endedAttemptsMax() || (ended.size() > 1 && endedBytes > limits.endedBytesMax())) {
            Path oldest = ended.keySet().iterator().next();
            uncount(oldest);
            remove(oldest);
            removeEmptyAbove(oldest);
            removed.add(oldest);
            forgetLongRemoved();
        }
    }

    /** The folders of its task, group and job, if no other attempt is in them. */
    private void removeEmptyAbove(Path attempt) {
        Path place = root.relativize(attempt);
        try {
            for (int above = 1; above <= ABOVE_ATTEMPT; above++) {
                Files.deleteIfExists(root.resolve(place.subpath(0, place.getNameCount() - above)));
            }
        } catch (DirectoryNotEmptyException othersAreInIt) {
            // it stays, and those above it
        } catch (IOException failure) {
            logger.warn("folder={} event=not-removed", attempt, failure);
        }
    }

    private void forgetLongRemoved() {
        if (removed.size() > REMOVED_REMEMBERED_MAX) {
            removed.remove(removed.iterator().next());
        }
    }

    private static void remove(Path folder) {
        try {
            Folders.remove(folder);
        } catch (IOException failure) {
            logger.warn("folder={} event=not-removed", folder, failure);
        }
    }

    /** The folder of an attempt, running or ended; empty if there is none here. */
    public synchronized Optional<Path> find(AttemptKey key) {
        return Optional.of(key.folder(root)).filter(Files::isDirectory);
    }

    /** Returns whether output of this attempt has been removed since the agent started. */
    public synchronized boolean isRemoved(AttemptKey key) {
        return removed.contains(key.folder(root));
    }
}
