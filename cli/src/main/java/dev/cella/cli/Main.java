package dev.cella.cli;

import dev.cella.cli.terminal.Terminal;

/** The entry point of the process. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(new CellaCommand(Terminal.ofThisProcess()).run(arguments));
    }
}
