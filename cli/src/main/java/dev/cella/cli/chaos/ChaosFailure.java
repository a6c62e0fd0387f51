package dev.cella.cli.chaos;

import dev.cella.chaos.processes.CouldNotRunException;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import java.util.List;
import java.util.function.Supplier;

/** Explains why nothing was run. The command ends with {@link ChaosExit#COULD_NOT_RUN}. */
final class ChaosFailure {
    private ChaosFailure() {}

    static CommandFailure couldNotRun(String error, String hint) {
        return new CommandFailure(ExitCode.NOT_PLACED, List.of(error), hint);
    }

    /** Runs it; what this machine does not let be ends the command in words. */
    static <R> R inWords(Supplier<R> run) {
        try {
            return run.get();
        } catch (CouldNotRunException why) {
            throw couldNotRun(why);
        }
    }

    static CommandFailure couldNotRun(CouldNotRunException why) {
        return couldNotRun(
                String.valueOf(why.getMessage()),
                "if this machine is busy, run it again when it is less so; a smaller scenario starts fewer processes");
    }

    static CommandFailure couldNotRun(CommandFailure failure) {
        return new CommandFailure(ExitCode.NOT_PLACED, failure.errors(), failure.hint());
    }
}
