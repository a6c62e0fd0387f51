package dev.cella.cli.terminal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** A terminal whose two outputs can be read afterwards, for a user whose home is the folder given. */
public final class TypedCommand {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Terminal terminal;

    public TypedCommand(Path folder, Path home) {
        this(folder, home, Map.of());
    }

    public TypedCommand(Path folder, Path home, Map<String, String> variables) {
        this.terminal = new Terminal(
                stream(out),
                stream(err),
                new ByteArrayInputStream(new byte[0]),
                new Environment(variables, folder, home, InstantSource.system()));
    }

    public TypedCommand(Path home) {
        this(home, home);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    public Terminal terminal() {
        return terminal;
    }

    /** The same terminal, with a clock that goes on by ten seconds each time it is read. */
    public Terminal terminalInAHurry() {
        AtomicLong seconds = new AtomicLong();
        Environment before = terminal.environment();
        Environment environment = new Environment(
                before.variables(), before.folder(), before.home(), () -> Instant.ofEpochSecond(seconds.addAndGet(10)));
        return new Terminal(terminal.out(), terminal.err(), terminal.in(), environment);
    }

    public String out() {
        terminal.out().flush();
        return out.toString(StandardCharsets.UTF_8);
    }

    public String err() {
        terminal.err().flush();
        return err.toString(StandardCharsets.UTF_8);
    }
}
