package dev.cella.cli.part;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import dev.cella.state.core.Departure;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;

/** Ends the process when its replica cannot go on: prints the reason once, and runs no more code of ours. */
public final class Departures {
    /** The kernel's message, which the JDK and RocksDB pass on. */
    private static final String DISK_FULL = "No space left on device";

    private Departures() {}

    public static Departure halting(Terminal terminal, String hint) {
        AtomicBoolean left = new AtomicBoolean();
        return (message, cause) -> {
            if (left.compareAndSet(false, true)) {
                LoggerFactory.getLogger(Departures.class).error("the replica cannot go on: {}", message, cause);
                terminal.complain(describe(message, cause, hint));
                Runtime.getRuntime().halt(ExitCode.FAILED.number());
            }
        };
    }

    /** A full disk is the most frequent reason, and the user can fix it at once. */
    private static CommandFailure describe(String message, Throwable cause, String hint) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (String.valueOf(each.getMessage()).contains(DISK_FULL)) {
                return CommandFailure.failed(
                        message + ": " + DISK_FULL, "free some space there and start it again; " + hint);
            }
        }
        return CommandFailure.failed(message, hint);
    }
}
