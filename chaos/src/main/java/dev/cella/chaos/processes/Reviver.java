package dev.cella.chaos.processes;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Lets a paused process continue when this process has ended, also after {@code kill -9}: a child waits for the end of a pipe
 * that only this process holds. A process that was told to end while it was paused then does so.
 */
final class Reviver implements AutoCloseable {
    /** A Ctrl-C of the terminal reaches it, too. */
    private static final String WAIT = "trap '' HUP INT TERM; read -r nothing; kill -CONT \"$1\"";

    private final Process waiting;

    private Reviver(Process waiting) {
        this.waiting = waiting;
    }

    static Reviver of(long pid) {
        try {
            return new Reviver(new ProcessBuilder("sh", "-c", WAIT, "reviver", Long.toString(pid))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException failure) {
            throw new UncheckedIOException("starting what lets process " + pid + " continue", failure);
        }
    }

    /** The process needs it no more. */
    @Override
    public void close() {
        waiting.destroyForcibly();
    }
}
