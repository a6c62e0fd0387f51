package dev.cella.cli.cell;

import dev.cella.cli.terminal.Environment;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The {@code cella dev} processes of this user: one small file each in a run folder, named by its process id. A process
 * that was killed leaves its file behind; whoever reads passes over it, and the next one to announce itself removes it.
 */
public final class RunningDevs {
    private static final String SUFFIX = ".properties";

    private final Path folder;

    public RunningDevs(Environment environment) {
        this.folder = environment.dataFolder().resolve("run");
    }

    public Optional<RunningDev> newest() {
        return alive().stream().max(Comparator.comparing(RunningDev::startedAt));
    }

    public Optional<RunningDev> onPort(int port) {
        return alive().stream().filter(dev -> dev.address().getPort() == port).findFirst();
    }

    public void announce(RunningDev dev) throws IOException {
        Files.createDirectories(folder);
        removeStale();
        Properties note = new Properties();
        note.setProperty("startedAt", dev.startedAt().toString());
        note.setProperty("address", dev.address().toString());
        note.setProperty("data", dev.data().toString());
        Path unfinished = Files.createTempFile(folder, "dev", ".tmp");
        try (Writer writer = Files.newBufferedWriter(unfinished)) {
            note.store(writer, "a cella dev that runs, or was killed");
        }
        Files.move(unfinished, file(dev.processId()), StandardCopyOption.ATOMIC_MOVE);
    }

    public void withdraw(RunningDev dev) throws IOException {
        Files.deleteIfExists(file(dev.processId()));
    }

    private void removeStale() throws IOException {
        for (RunningDev dev : announced()) {
            if (!dev.isAlive()) {
                withdraw(dev);
            }
        }
    }

    private List<RunningDev> alive() {
        return announced().stream().filter(RunningDev::isAlive).toList();
    }

    private List<RunningDev> announced() {
        List<RunningDev> devs = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                read(file).ifPresent(devs::add);
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + folder, e);
        }
        return devs;
    }

    /** Absent when the file went away meanwhile, or is none of ours. */
    private static Optional<RunningDev> read(Path file) {
        Properties note = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            note.load(reader);
            String name = file.getFileName().toString();
            return Optional.of(new RunningDev(
                    Long.parseLong(name.substring(0, name.length() - SUFFIX.length())),
                    Instant.parse(note.getProperty("startedAt", "")),
                    URI.create(note.getProperty("address", "")),
                    Path.of(note.getProperty("data", ""))));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private Path file(long processId) {
        return folder.resolve(processId + SUFFIX);
    }
}
