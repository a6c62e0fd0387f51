package dev.cella.bench.cell;

import dev.cella.state.core.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The temporary folder of a measurement. It is removed with the measurement, and also when that is interrupted. Then all
 * processes that this one has started are killed first, because they would go on writing into the folder.
 */
public final class BenchFolder implements AutoCloseable {
    /** Threads of this process may make a file in a directory that is being removed. */
    private static final int REMOVALS_MAX = 20;

    private final Path path;
    private final Thread hook = new Thread(this::removeAtExit, "remove");

    private BenchFolder(Path path) {
        this.path = path;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Makes one whose name begins with that. */
    public static BenchFolder make(String prefix) throws IOException {
        return new BenchFolder(Files.createTempDirectory(prefix));
    }

    public Path path() {
        return path;
    }

    private void removeAtExit() {
        List<ProcessHandle> children = ProcessHandle.current().descendants().toList();
        children.forEach(ProcessHandle::destroyForcibly);
        children.forEach(child -> child.onExit().join());
        for (int time = 0; time < REMOVALS_MAX && Files.exists(path); time++) {
            removeOnce();
        }
    }

    private void removeOnce() {
        try {
            DurableFiles.removeTree(path);
        } catch (IOException notEmpty) {
            // The caller looks whether the folder is still there.
        }
    }

    @Override
    public void close() throws IOException {
        DurableFiles.removeTree(path);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException leaving) {
            // The hook runs, and finds nothing to remove.
        }
    }
}
