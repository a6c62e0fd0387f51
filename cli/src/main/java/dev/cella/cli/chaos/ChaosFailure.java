package dev.cella.cli.chaos;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import java.util.List;

/** Explains why nothing was run. The command ends with {@link ChaosExit#COULD_NOT_RUN}. */
final class ChaosFailure {
    private ChaosFailure() {}

    static CommandFailure couldNotRun(String error, String hint) {
        return new CommandFailure(ExitCode.NOT_PLACED, List.of(error), hint);
    }

    static CommandFailure couldNotRun(CommandFailure failure) {
        return new CommandFailure(ExitCode.NOT_PLACED, failure.errors(), failure.hint());
    }
}
