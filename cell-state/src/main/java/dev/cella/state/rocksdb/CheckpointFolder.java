package dev.cella.state.rocksdb;

import dev.cella.state.core.Checkpoint;
import dev.cella.state.core.CheckpointHead;
import dev.cella.state.core.DamagedCheckpointException;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.rocksdb.Manifest.FileSum;
import dev.cella.transactions.cell.copies.CellCopy;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One checkpoint on disk: {@code hot-INDEX} (the hot tables, see {@link HotChain}), {@code cold} (a RocksDB database of the
 * cold rows) and the {@code manifest}. It is built under another name, flushed to disk as a whole, and renamed. So under its
 * own name it is complete, unless the disk has lost something afterwards.
 */
final class CheckpointFolder {
    private static final String NAME = "checkpoint-";
    private static final String UNFINISHED = "unfinished";
    private static final String HOT = "hot-";
    private static final String COLD = "cold";
    private static final String TABLE_SUFFIX = ".sst";
    private static final String SHIPPING_SUFFIX = ".md5";

    private final Path path;

    private CheckpointFolder(Path path) {
        this.path = path;
    }

    /** The checkpoints in that folder, newest first. */
    static List<CheckpointFolder> list(Path parent) throws IOException {
        try (Stream<Path> children = Files.list(parent)) {
            return children.filter(child -> child.getFileName().toString().startsWith(NAME))
                    .map(CheckpointFolder::new)
                    .sorted(Comparator.comparingLong(CheckpointFolder::index).reversed())
                    .toList();
        }
    }

    /** Begins a checkpoint. Removes the rest of an earlier attempt. */
    static CheckpointFolder begin(Path parent) throws IOException {
        Path path = parent.resolve(UNFINISHED);
        DurableFiles.removeTree(path);
        return new CheckpointFolder(Files.createDirectory(path));
    }

    /** The path of the checkpoint at that index. */
    static Path path(Path parent, long index) {
        return parent.resolve("%s%019d".formatted(NAME, index));
    }

    static CheckpointFolder at(Path parent, long index) {
        return new CheckpointFolder(path(parent, index));
    }

    static CheckpointFolder of(Path path) {
        return new CheckpointFolder(path);
    }

    long index() {
        return Long.parseLong(name().substring(NAME.length()));
    }

    String name() {
        return path.getFileName().toString();
    }

    Path cold() {
        return path.resolve(COLD);
    }

    /** Links the files of hot pages of an earlier checkpoint. */
    void linkHot(CheckpointFolder earlier) throws IOException {
        for (Path file : earlier.hotFiles()) {
            Files.createLink(path.resolve(file.getFileName()), file);
        }
    }

    /** Adds a file of hot pages, and returns its size in bytes. */
    long writeHot(long index, Consumer<CellCopy.Pages> pages) throws IOException {
        return HotFile.write(path.resolve("%s%019d".formatted(HOT, index)), pages);
    }

    /** In the order of writing. */
    private List<Path> hotFiles() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(file -> isHot(file.getFileName().toString()))
                    .filter(CheckpointFolder::isOurs)
                    .sorted()
                    .toList();
        }
    }

    /**
     * Flushes everything to disk and gives the folder its name.
     *
     * @param cellId the id of the cell's log
     * @param known the checksums of an earlier checkpoint's files: tables and hot pages never change once they are written
     */
    Manifest finish(UUID cellId, CheckpointHead head, Map<String, FileSum> known) throws IOException {
        Manifest manifest = new Manifest(Optional.of(cellId), head, sums(known));
        for (String file : manifest.files().keySet()) {
            DurableFiles.sync(path.resolve(file));
        }
        DurableFiles.write(path.resolve(Manifest.FILE), manifest.toBytes());
        DurableFiles.sync(cold());
        DurableFiles.sync(path);
        Path finished = path(path.resolveSibling(""), head.position().index());
        Files.move(path, finished, StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.sync(finished.resolveSibling("."));
        return manifest;
    }

    private SortedMap<String, FileSum> sums(Map<String, FileSum> known) throws IOException {
        SortedMap<String, FileSum> sums = new TreeMap<>();
        for (Path file : files()) {
            String name = path.relativize(file).toString();
            FileSum shared = known.get(name);
            sums.put(name, shared != null && isNeverRewritten(name) ? shared : FileSum.of(file));
        }
        return sums;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> tree = Files.walk(path)) {
            return tree.filter(Files::isRegularFile)
                    .filter(file -> !file.equals(path.resolve(Manifest.FILE)))
                    .toList();
        }
    }

    /** Ignores the files that Ratis leaves beside files that it received. */
    private static boolean isOurs(Path file) {
        return !file.getFileName().toString().endsWith(SHIPPING_SUFFIX);
    }

    private static boolean isTable(String name) {
        return name.endsWith(TABLE_SUFFIX);
    }

    private static boolean isHot(String name) {
        return name.startsWith(HOT);
    }

    private static boolean isNeverRewritten(String name) {
        return isTable(name) || isHot(name);
    }

    /** Reads the manifest and compares the cell and every file with it. */
    Manifest check(UUID cellId) throws IOException, DamagedCheckpointException {
        if (!Files.exists(path.resolve(Manifest.FILE))) {
            throw new DamagedCheckpointException("it has no manifest");
        }
        Manifest manifest = readFile(Manifest.FILE, Manifest::read);
        if (!manifest.cellId().orElse(cellId).equals(cellId)) {
            throw new DamagedCheckpointException("it is of another cell");
        }
        for (Map.Entry<String, FileSum> file : manifest.files().entrySet()) {
            checkFile(file.getKey(), file.getValue());
        }
        return manifest;
    }

    private void checkFile(String name, FileSum expected) throws IOException, DamagedCheckpointException {
        if (!Files.exists(path.resolve(name))) {
            throw new DamagedCheckpointException("its file " + name + " is missing");
        }
        FileSum found = readFile(name, FileSum::of);
        if (!found.equals(expected)) {
            throw new DamagedCheckpointException("its file %s has %d bytes and checksum %x, not %d and %x"
                    .formatted(name, found.bytes(), found.checksum(), expected.bytes(), expected.checksum()));
        }
    }

    Checkpoint read(CheckpointHead head) throws IOException, DamagedCheckpointException {
        SortedMap<Long, byte[]> pages = new TreeMap<>();
        for (Path file : hotFiles()) {
            HotFile.readOver(pages, readFile(path.relativize(file).toString(), Files::readAllBytes));
        }
        return new Checkpoint(head, List.copyOf(pages.values()));
    }

    /** Reads a file. */
    @FunctionalInterface
    private interface FileReader<T> {
        T read(Path file) throws IOException, DamagedCheckpointException;
    }

    /** Bytes that the disk cannot read are damage. A file that cannot be opened may be whole. */
    private <T> T readFile(String name, FileReader<T> reader) throws IOException, DamagedCheckpointException {
        try {
            return reader.read(path.resolve(name));
        } catch (FileSystemException notOpened) {
            throw notOpened;
        } catch (IOException failure) {
            throw new DamagedCheckpointException(
                    "its file %s cannot be read: %s".formatted(name, failure.getMessage()), failure);
        }
    }

    /**
     * Makes a database of the cold rows elsewhere. It links the tables and copies the files that a database writes to.
     */
    void linkCold(Path target) throws IOException {
        DurableFiles.removeTree(target);
        Files.createDirectories(target);
        try (Stream<Path> files = Files.list(cold())) {
            for (Path file : files.filter(CheckpointFolder::isOurs).toList()) {
                linkOrCopy(file, target.resolve(file.getFileName()));
            }
        }
    }

    private static void linkOrCopy(Path file, Path target) throws IOException {
        if (isTable(file.getFileName().toString())) {
            Files.createLink(target, file);
        } else {
            Files.copy(file, target);
        }
    }

    /** Moves it out of the way, for a person to look at. */
    void putAside() throws IOException {
        Path aside = path.resolveSibling(DataDirectory.DAMAGED + index());
        DurableFiles.removeTree(aside);
        Files.move(path, aside, StandardCopyOption.ATOMIC_MOVE);
    }

    void remove() throws IOException {
        // Removes its name first, so that a half-removed folder never counts as a checkpoint.
        Path doomed = path.resolveSibling(UNFINISHED);
        DurableFiles.removeTree(doomed);
        Files.move(path, doomed, StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.removeTree(doomed);
    }
}
