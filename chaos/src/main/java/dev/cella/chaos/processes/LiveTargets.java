package dev.cella.chaos.processes;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The processes of this user that allow faults: one small file each in a folder, named by process id. A process that was
 * killed leaves its file behind; readers skip such a file.
 */
public final class LiveTargets {
    private static final String SUFFIX = ".properties";

    private final Path folder;

    public LiveTargets(Path folder) {
        this.folder = folder;
    }

    /** Allows faults on a process, until the returned handle is closed. */
    public AutoCloseable allow(LiveTarget target) throws IOException {
        Files.createDirectories(folder);
        Properties note = new Properties();
        note.setProperty("startTicks", Long.toString(target.startTicks()));
        note.setProperty("does", joined(target.does()));
        note.setProperty("name", target.name());
        note.setProperty("addresses", joined(target.addresses()));
        note.setProperty("owned", Boolean.toString(target.owned()));
        Path file = folder.resolve(target.pid() + SUFFIX);
        Path unfinished = Files.createTempFile(folder, "target", ".tmp");
        try (Writer writer = Files.newBufferedWriter(unfinished)) {
            note.store(writer, "a process that was started with --chaos");
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        return () -> Files.deleteIfExists(file);
    }

    private static String joined(Iterable<?> values) {
        List<String> words = new ArrayList<>();
        values.forEach(each -> words.add(each.toString()));
        return String.join(",", words);
    }

    /** Those of a cell that run, by name. */
    public List<LiveTarget> ofCell(Set<URI> servers) {
        return all().stream().filter(each -> each.isOf(servers)).toList();
    }

    /** Those that run, by name. */
    List<LiveTarget> all() {
        List<LiveTarget> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                read(file).filter(LiveTarget::isAlive).ifPresent(found::add);
            }
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException failure) {
            throw new UncheckedIOException("reading " + folder, failure);
        }
        found.sort(Comparator.comparing(LiveTarget::name).thenComparing(LiveTarget::pid));
        return found;
    }

    /** Empty if the file has gone in the meantime or has another format. */
    private static Optional<LiveTarget> read(Path file) {
        Properties note = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            note.load(reader);
            String name = file.getFileName().toString();
            return Optional.of(new LiveTarget(
                    Long.parseLong(name.substring(0, name.length() - SUFFIX.length())),
                    Long.parseLong(note.getProperty("startTicks", "")),
                    words(note, "does").stream().map(LiveTarget.Role::valueOf).collect(Collectors.toSet()),
                    note.getProperty("name", ""),
                    words(note, "addresses").stream().map(URI::create).toList(),
                    Boolean.parseBoolean(note.getProperty("owned"))));
        } catch (IOException | RuntimeException unreadable) {
            return Optional.empty();
        }
    }

    private static List<String> words(Properties note, String key) {
        return Arrays.asList(note.getProperty(key, "").split(",", -1));
    }
}
