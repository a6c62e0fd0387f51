package dev.cella.cli;

import dev.cella.cli.terminal.Terminal;

/** Where the process of the command {@code cella} starts. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(new CellaCommand(Terminal.ofThisProcess()).run(arguments));
    }
}
