package dev.cella.cli.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cella.chaos.processes.FaultGuard;
import dev.cella.chaos.scenario.FaultKind;
import dev.cella.cli.part.OwnCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The guard of a fault, as the command that asked for it sees it. Owned by the command's thread; its hook may end it. A thread of
 * its own renews the lease, so that a cell that answers late costs no renewal.
 */
final class GuardProcess {
    private static final List<String> FLAGS = List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final int END_SECONDS_MAX = 10;
    private static final long RENEW_EVERY_MILLIS = 1_000;

    private final Process process;
    private final BufferedReader said;
    private volatile boolean begun;
    private volatile boolean told;
    private Optional<String> last = Optional.empty();

    private GuardProcess(Process process) {
        this.process = process;
        this.said = process.inputReader();
    }

    /** Starts it in a session of its own, which a Ctrl-C does not reach. */
    static GuardProcess start(FaultKind kind, List<Long> pids, Duration length) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("chaos", "guard", kind.words(), "--for", length.toMillis() + "ms"));
        pids.forEach(pid -> arguments.add(Long.toString(pid)));
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.addAll(OwnCommand.with(FLAGS, arguments));
        GuardProcess guard = new GuardProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
        Thread renewing = new Thread(guard::renew, "lease");
        renewing.setDaemon(true);
        renewing.start();
        return guard;
    }

    private void renew() {
        try {
            while (!isOver()) {
                write(FaultGuard.RENEWAL + "\n");
                TimeUnit.MILLISECONDS.sleep(RENEW_EVERY_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the fault has begun, or cannot begin any more. Returns whether it has begun. */
    boolean begins() throws IOException {
        hear(said.readLine());
        return begun;
    }

    boolean hasBegun() {
        return begun;
    }

    /** Returns whether {@link #end} was called. */
    boolean isToldToEnd() {
        return told;
    }

    private synchronized void hear(@Nullable String line) {
        if (ChaosGuardCommand.BEGUN.equals(line)) {
            begun = true;
        } else {
            last = Optional.ofNullable(line);
        }
    }

    /** Waits until it has ended. Returns the last line that it said, also if that was read before; empty if it was killed. */
    synchronized Optional<String> lastWords() throws IOException {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            hear(line);
        }
        return last;
    }

    /** Returns whether it has ended; {@link #lastWords} does not wait then. */
    boolean isOver() {
        return !process.isAlive();
    }

    /** Asks it to heal the fault now, and waits until it has ended. One that does not end is killed. */
    void end() {
        told = true;
        write("end\n");
        try {
            if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void write(String line) {
        try {
            OutputStream renewals = process.getOutputStream();
            renewals.write(line.getBytes(UTF_8));
            renewals.flush();
        } catch (IOException ended) {
            // It has ended already. The command heals a fault that it has left.
        }
    }
}
