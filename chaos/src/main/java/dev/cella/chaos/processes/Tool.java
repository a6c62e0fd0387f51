package dev.cella.chaos.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** A program of the machine, run to its end. */
final class Tool {
    /** A program that refused, with its words. */
    static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refusal(List<String> command, String said) {
            super(String.join(" ", command) + ": " + said);
        }
    }

    private Tool() {}

    /** Returns what it printed. */
    static String run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            if (process.waitFor() != 0) {
                throw new Refusal(command, said);
            }
            return said;
        } catch (IOException missing) {
            throw new UncheckedIOException(String.join(" ", command), missing);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Refusal(command, "interrupted");
        }
    }

    static String run(String... command) {
        return run(List.of(command));
    }

    /** Returns whether the program exists and agrees. */
    static boolean works(String... command) {
        try {
            run(command);
            return true;
        } catch (Refusal | UncheckedIOException cannot) {
            return false;
        }
    }
}
