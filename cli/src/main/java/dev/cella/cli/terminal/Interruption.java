package dev.cella.cli.terminal;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An action that runs when the process is told to stop (Ctrl-C, SIGTERM) before its work is done. The JVM itself then
 * leaves with 130 or 143.
 */
public final class Interruption implements AutoCloseable {
    private final AtomicBoolean over = new AtomicBoolean();
    private final Thread hook;

    private Interruption(Runnable action) {
        this.hook = new Thread(
                () -> {
                    if (!over.get()) {
                        action.run();
                    }
                },
                "interrupted");
    }

    public static Interruption answeredBy(Runnable action) {
        Interruption interruption = new Interruption(action);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    /** The work is over, so there is nothing left to interrupt. */
    @Override
    public void close() {
        over.set(true);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is leaving already; the hook looks at `over` by itself.
        }
    }
}
