package dev.cella.cli.terminal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

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

    public String out() {
        terminal.out().flush();
        return out.toString(StandardCharsets.UTF_8);
    }

    public String err() {
        terminal.err().flush();
        return err.toString(StandardCharsets.UTF_8);
    }
}
