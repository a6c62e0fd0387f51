package dev.cella.bench.peer;

import dev.cella.bench.cell.BenchFolder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The processes of a peer, in a folder that is removed with them. */
final class PeerProcesses implements AutoCloseable {
    static final int MEMBERS = 3;

    private static final long START_SECONDS_MAX = 60;
    private static final long PAUSE_MILLIS = 50;

    private final BenchFolder made;
    private final List<Process> running = new ArrayList<>();

    PeerProcesses(String name) throws IOException {
        made = BenchFolder.make("cella-bench-" + name);
    }

    Path folder() {
        return made.path();
    }

    void start(String name, List<String> command) throws IOException {
        File log = folder().resolve(name + ".log").toFile();
        Process process = new ProcessBuilder(command)
                .directory(folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        // Ctrl-C in the middle of a measurement must not leave servers behind.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        running.add(process);
    }

    /** Asks until it is so. */
    void await(String what, BooleanSupplier so) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (!so.getAsBoolean()) {
            if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(START_SECONDS_MAX)) {
                throw new IOException("%s did not come within %d s".formatted(what, START_SECONDS_MAX));
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    Duration cpu() {
        return running.stream()
                .map(process -> process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() throws IOException {
        running.forEach(Process::destroyForcibly);
        running.forEach(process -> process.onExit().join());
        made.close();
    }
}
