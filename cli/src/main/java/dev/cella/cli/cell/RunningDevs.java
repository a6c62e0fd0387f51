package dev.cella.cli.cell;

import dev.cella.cli.terminal.Environment;
import dev.cella.client.CellAddresses;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.AccessDeniedException;
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

/**
 * The {@code cella dev} processes of this user: one small file each in a run folder, named by its process id. A
 * process that was killed leaves its file behind. Readers skip such a file, and the next process that announces
 * itself removes it.
 */
public final class RunningDevs {
    private static final String SUFFIX = ".properties";

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Path folder;

    public RunningDevs(Environment environment) {
        this.folder = environment.dataFolder().resolve("run");
    }

    public Optional<RunningDev> newest() {
        return alive().stream().max(Comparator.comparingLong(RunningDev::startTicks));
    }

    /** The one at that address, by the name localhost or by its number. */
    Optional<RunningDev> at(URI address) {
        return alive().stream()
                .filter(dev -> dev.listensOn(address.getPort()))
                .filter(dev -> LOOPBACK.contains(String.valueOf(address.getHost())))
                .findFirst();
    }

    public Optional<RunningDev> onPort(int port) {
        return alive().stream().filter(dev -> dev.listensOn(port)).findFirst();
    }

    /** The one with that data directory. */
    public Optional<RunningDev> onData(Path data) {
        return alive().stream().filter(dev -> dev.data().equals(data)).findFirst();
    }

    public void announce(RunningDev dev) throws IOException {
        Files.createDirectories(folder);
        removeStale();
        Properties note = new Properties();
        note.setProperty("startTicks", Long.toString(dev.startTicks()));
        note.setProperty("address", dev.addresses().toString());
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
        } catch (NoSuchFileException | AccessDeniedException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + folder, e);
        }
        return devs;
    }

    /** Empty if the file has gone in the meantime or has another format. */
    private static Optional<RunningDev> read(Path file) {
        Properties note = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            note.load(reader);
            String name = file.getFileName().toString();
            return Optional.of(new RunningDev(
                    Long.parseLong(name.substring(0, name.length() - SUFFIX.length())),
                    Long.parseLong(note.getProperty("startTicks", "")),
                    addresses(note.getProperty("address", "")),
                    Path.of(note.getProperty("data", ""))));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static CellAddresses addresses(String written) {
        return new CellAddresses(
                Arrays.stream(written.split(",", -1)).map(URI::create).toList());
    }

    private Path file(long processId) {
        return folder.resolve(processId + SUFFIX);
    }
}
