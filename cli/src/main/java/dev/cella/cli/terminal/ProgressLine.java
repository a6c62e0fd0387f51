package dev.cella.cli.terminal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Shows the progress of long work on standard error: one line that is rewritten on a terminal, and at most two lines per
 * second in a pipe. The last line is always printed.
 */
public final class ProgressLine implements AutoCloseable {
    private static final Duration PIPE_PERIOD_MIN = Duration.ofMillis(500);
    private static final String REPLACED = "\r\u001b[K";

    private final Terminal terminal;
    private final InstantSource clock;
    private final Screen screen;
    private Optional<String> heldBack = Optional.empty();
    private Instant printed = Instant.EPOCH;
    private boolean open;

    public ProgressLine(Terminal terminal) {
        this(terminal, Screen.ofMessages(terminal.environment()));
    }

    ProgressLine(Terminal terminal, Screen screen) {
        this.terminal = terminal;
        this.clock = terminal.environment().clock();
        this.screen = screen;
    }

    public void show(String line) {
        if (screen.isTerminal()) {
            terminal.out().flush();
            terminal.err().print(REPLACED + line.substring(0, Math.min(line.length(), screen.columns() - 1)));
            terminal.err().flush();
            open = true;
        } else if (clock.instant().isBefore(printed.plus(PIPE_PERIOD_MIN))) {
            heldBack = Optional.of(line);
        } else {
            print(line);
        }
    }

    private void print(String line) {
        terminal.say(line);
        printed = clock.instant();
        heldBack = Optional.empty();
    }

    /** Ends the line, so that later output begins on a new one. */
    @Override
    public void close() {
        heldBack.ifPresent(this::print);
        if (open) {
            terminal.err().println();
            open = false;
        }
    }
}
