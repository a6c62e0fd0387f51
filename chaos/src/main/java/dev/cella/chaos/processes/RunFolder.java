package dev.cella.chaos.processes;

import dev.cella.agent.keeper.LeftGroups;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A folder for the files of runs, which is removed after them. */
public final class RunFolder implements AutoCloseable {
    private static final int TIMES_MAX = 50;
    private static final long PAUSE_MILLIS = 100;

    private final Path path;

    private RunFolder(Path path) {
        this.path = path;
    }

    /** Makes one in the machine's folder for temporary files. */
    public static RunFolder make() {
        return in(Path.of(System.getProperty("java.io.tmpdir")));
    }

    static RunFolder in(Path parent) {
        try {
            Path path = Files.createTempDirectory(parent, "cella-chaos");
            // Tasks run as another user than the agents.
            if (!path.toFile().setExecutable(true, false)) {
                throw new IOException("cannot let others enter " + path);
            }
            return new RunFolder(path);
        } catch (IOException failure) {
            throw new UncheckedIOException("making a folder for the run", failure);
        }
    }

    public Path path() {
        return path;
    }

    /** A disk that is still mounted, or a file that a task still writes, stays behind. */
    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException changing) {
            // It is a folder for temporary files.
        }
    }

    /** The same for a folder whose users end at this moment. The control groups of their tasks are outside it, and go with it. */
    public void closeAfterItsUsers() {
        LeftGroups.remove(path);
        try {
            for (int time = 0; Files.exists(path) && time < TIMES_MAX; time++) {
                close();
                TimeUnit.MILLISECONDS.sleep(Files.exists(path) ? PAUSE_MILLIS : 0);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
