package dev.cella.cli.terminal;

/** The exit codes of commands. */
public enum ExitCode {
    DONE(0),
    FAILED(1),
    NOT_PLACED(2),
    USAGE(64),
    NO_CELL(69),
    INTERRUPTED(130);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
