package dev.cella.cli.part;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import dev.cella.state.core.Departure;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;

/** Leaves the process when its replica cannot go on: the reason once, and then no more code of ours. */
public final class Departures {
    private Departures() {}

    public static Departure halting(Terminal terminal, String hint) {
        AtomicBoolean left = new AtomicBoolean();
        return (message, cause) -> {
            if (left.compareAndSet(false, true)) {
                LoggerFactory.getLogger(Departures.class).error("the replica cannot go on: {}", message, cause);
                terminal.complain(CommandFailure.failed(message, hint));
                Runtime.getRuntime().halt(ExitCode.FAILED.number());
            }
        };
    }
}
