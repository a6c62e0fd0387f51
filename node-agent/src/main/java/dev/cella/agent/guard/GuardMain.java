package dev.cella.agent.guard;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The guard's process: it kills the tasks it watches when its standard input closes, for then the agent is dead, and when
 * the agent has not renewed in time by this process' own clock, for then it hangs. See {@link WatchList} for what it is
 * told.
 *
 * <p>Killing is also all it can do wrong, so it decides nothing else: which tasks run is the agent's affair, and what
 * becomes of a task that was killed is the cell's.
 */
public final class GuardMain {
    /** How long a process may need from its parent's last breath until it shows its mark. */
    private static final Duration ON_ITS_WAY = Duration.ofSeconds(1);

    /** A process that does not go by then waits for a broken disk, and nobody can kill it. */
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(30);

    private static final long AGES_NANOS = Duration.ofDays(365).toNanos();

    private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
    private final PrintStream answers;
    private final WatchList watchList;

    private GuardMain(PrintStream answers, Duration lease) {
        this.answers = answers;
        this.watchList = new WatchList(System.nanoTime() + lease.toNanos());
    }

    /** Takes the lease to start with, in milliseconds. */
    public static void main(String[] arguments) throws InterruptedException {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        GuardMain guard = new GuardMain(answers, Duration.ofMillis(Long.parseLong(arguments[0])));
        Thread reader = new Thread(guard::read, "guard-reader");
        reader.setDaemon(true);
        reader.start();
        guard.watch();
    }

    /** Every line, then an empty one at the end of input, whatever ended it. */
    private void read() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                lines.add(Optional.of(line));
            }
        } catch (IOException brokenPipe) {
            // the end of the input, like any other
        } finally {
            lines.add(Optional.empty());
        }
    }

    private void watch() throws InterruptedException {
        while (true) {
            Optional<String> line = lines.poll(watchList.leaseLeftNanos(System.nanoTime()), TimeUnit.NANOSECONDS);
            if (line == null) {
                killAll();
                watchList.leaseWaits(System.nanoTime() + AGES_NANOS);
            } else if (line.isPresent()) {
                watchList.on(line.get(), System.nanoTime()).ifPresent(answers::println);
            } else {
                killAll();
                return;
            }
        }
    }

    private void killAll() {
        Duration atLeast = watchList.expectsMore() ? ON_ITS_WAY : Duration.ZERO;
        TaskProcesses.kill(watchList.tasks(), atLeast, KILL_PATIENCE);
    }
}
