package dev.cella.chaos.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One process of the cell: started, broken and started again by the thread of the run alone. Several faults may keep it down or
 * paused at once: it starts or continues when the last of them lets go.
 */
final class Part implements Breakable {
    /** Its role in the cell. */
    enum Role {
        SERVER,
        SCHEDULER,
        AGENT
    }

    private static final int EXIT_SECONDS_MAX = 10;

    private final Role role;
    private final String name;
    private final int host;
    private final List<String> command;
    private final Map<String, String> environment;
    private final Path folder;
    private final Set<ProcessFault> keptDown = new HashSet<>();
    private final Set<ProcessFault> paused = new HashSet<>();
    private Process process;
    private @Nullable Reviver reviver;
    private long workingSinceNanos;

    Part(Role role, String name, int host, List<String> command, Map<String, String> environment, Path folder) {
        this.role = role;
        this.name = name;
        this.host = host;
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
        this.folder = folder;
        this.process = launch();
    }

    private Process launch() {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().putAll(environment);
        workingSinceNanos = System.nanoTime();
        try {
            return builder.start();
        } catch (IOException failure) {
            throw new UncheckedIOException("starting " + name, failure);
        }
    }

    Role role() {
        return role;
    }

    @Override
    public String name() {
        return name;
    }

    static String names(List<? extends Breakable> parts) {
        return String.join(",", parts.stream().map(Breakable::name).toList());
    }

    /** The number of its host. */
    int host() {
        return host;
    }

    /** Where it keeps everything. */
    Path data() {
        return data(folder, name);
    }

    /** Below the folder of its name, which may be a disk of its own. */
    static Path data(Path folder, String name) {
        return folder.resolve(name).resolve("data");
    }

    Path log() {
        return folder.resolve(name + ".log");
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void keepDown(ProcessFault by) {
        keptDown.add(by);
        kill();
    }

    @Override
    public void startAgain(ProcessFault by) {
        keptDown.remove(by);
        startIfFree();
    }

    private void startIfFree() {
        if (keptDown.isEmpty() && !process.isAlive()) {
            forgetReviver();
            process = launch();
        }
    }

    private void forgetReviver() {
        if (reviver != null) {
            reviver.close();
            reviver = null;
        }
    }

    /** Stops it, and starts it again if no fault keeps it down. */
    void restart() {
        stop();
        startIfFree();
    }

    @Override
    public void pause(ProcessFault by) {
        paused.add(by);
        if (reviver == null) {
            reviver = Reviver.of(process.pid());
        }
        Signals.pause(process.pid());
    }

    @Override
    public void resume(ProcessFault by) {
        paused.remove(by);
        if (paused.isEmpty()) {
            resumeAnyway();
        }
    }

    /** Every fault is over: it continues, or starts again if it has ended. */
    void heal() {
        keptDown.clear();
        paused.clear();
        resumeAnyway();
        forgetReviver();
        startIfFree();
    }

    /** It continues, whatever faults are in force. */
    void resumeAnyway() {
        if (isPaused()) {
            workingSinceNanos = System.nanoTime();
        }
        Signals.resume(process.pid());
    }

    /** How long it has worked: since it was started, or continued after a pause. */
    Duration worksFor() {
        return Duration.ofNanos(System.nanoTime() - workingSinceNanos);
    }

    @Override
    public boolean isPaused() {
        return Signals.isPaused(process.pid());
    }

    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Tells it to stop, and kills it if it does not. */
    void stop() {
        process.destroy();
        if (!awaitExit()) {
            kill();
        }
    }

    private boolean awaitExit() {
        try {
            boolean exited = process.waitFor(EXIT_SECONDS_MAX, TimeUnit.SECONDS);
            if (exited) {
                forgetReviver();
            }
            return exited;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
