package dev.cella.cli.terminal;

import java.util.List;

/** Ends a command with lines that describe the failure, a hint, and the exit code. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ExitCode exitCode;
    private final transient List<String> errors;
    private final String hint;

    public CommandFailure(ExitCode exitCode, List<String> errors, String hint) {
        super(String.join("; ", errors));
        this.exitCode = exitCode;
        this.errors = List.copyOf(errors);
        this.hint = hint;
    }

    public static CommandFailure failed(String error, String hint) {
        return new CommandFailure(ExitCode.FAILED, List.of(error), hint);
    }

    public static CommandFailure usage(String error, String hint) {
        return new CommandFailure(ExitCode.USAGE, List.of(error), hint);
    }

    public ExitCode exitCode() {
        return exitCode;
    }

    public List<String> errors() {
        return errors;
    }

    /** Empty if there is no advice. */
    public String hint() {
        return hint;
    }
}
