package dev.cella.cli;

import dev.cella.cli.part.ConfigurationOption;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.FileWords;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.json.Fault;
import dev.cella.client.json.NearestName;
import dev.cella.scheduling.plugin.PluginRefusedException;
import dev.cella.simulator.engine.ImpossibleParameterException;
import dev.cella.state.core.StartRefusedException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints failures as {@code error:} and {@code hint:} lines, and chooses the exit code. */
final class Failures {
    private static final String MISSING_SUBCOMMAND = "Missing required subcommand";

    private final Terminal terminal;

    Failures(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The command line is invalid. */
    int answerUsage(ParameterException failure, String[] arguments) {
        return answer(describe(failure));
    }

    /** Nothing has an empty name; an unset variable of a script causes this. */
    int answerEmptyArgument() {
        return answer(CommandFailure.usage(
                "one of the arguments is empty", "in a script: is there a variable that is not set?"));
    }

    /** The command is done, but its output is not where it was sent. */
    int answerLostData(IOException failure) {
        return answer(CommandFailure.failed("the output could not be written: " + failure.getMessage(), ""));
    }

    /** What the command has to hold is larger than its memory. */
    int answerOutOfMemory() {
        return answer(CommandFailure.failed(
                "the command has not enough memory",
                "CELLA_JAVA_OPTIONS=-Xmx" + 2 * (Runtime.getRuntime().maxMemory() >> 20)
                        + "m gives it twice as much, or ask for less"));
    }

    /** The command is valid but failed. */
    int answerFailure(Exception failure, CommandLine line, CommandLine.ParseResult parsed) {
        if (terminal.environment().variable("CELLA_DEBUG").isPresent()) {
            failure.printStackTrace(terminal.err());
        }
        return answer(describe(failure));
    }

    private int answer(CommandFailure failure) {
        terminal.complain(failure);
        return failure.exitCode().number();
    }

    private static CommandFailure describe(ParameterException failure) {
        CommandSpec command = failure.getCommandLine().getCommandSpec();
        String help = "see " + command.qualifiedName() + " --help";
        String message = String.valueOf(failure.getMessage());
        if (failure.getCause() instanceof CommandFailure told) {
            return told;
        }
        if (failure instanceof UnmatchedArgumentException unmatched) {
            return describe(unmatched.getUnmatched().get(0), command, help);
        }
        if (message.equals(MISSING_SUBCOMMAND)) {
            String subcommands = String.join(", ", command.subcommands().keySet());
            return CommandFailure.usage(command.qualifiedName() + " takes a command: " + subcommands, help);
        }
        return CommandFailure.usage(
                describeElsewhere(failure)
                        .or(() -> describePair(failure))
                        .orElse(Character.toLowerCase(message.charAt(0)) + message.substring(1)),
                help);
    }

    /** Describes a value that was not typed but came from a file or the environment. */
    private static Optional<String> describeElsewhere(ParameterException failure) {
        Throwable why = failure.getCause();
        if (why != null
                && failure.getArgSpec() instanceof OptionSpec option
                && option.command().defaultValueProvider() instanceof ConfigurationOption<?> configuration) {
            return configuration.place(option).map(place -> place + ": " + why.getMessage());
        }
        return Optional.empty();
    }

    /** Describes a value that should be a name and a value. It is not repeated, because it may be a secret. */
    private static Optional<String> describePair(ParameterException failure) {
        return failure.getArgSpec() instanceof OptionSpec option
                        && String.valueOf(failure.getMessage()).contains("KEY=VALUE")
                ? Optional.of(option.longestName() + " is written " + option.paramLabel())
                : Optional.empty();
    }

    private static CommandFailure describe(String unmatched, CommandSpec command, String help) {
        boolean flag = unmatched.startsWith("-");
        Set<String> names =
                flag ? command.optionsMap().keySet() : command.subcommands().keySet();
        String error = flag || !names.isEmpty()
                ? command.qualifiedName() + " has no " + (flag ? "option " : "command ") + unmatched
                : "'" + unmatched + "' is one argument too many for " + command.qualifiedName();
        return CommandFailure.usage(
                error,
                nearest(unmatched, command, names)
                        .map(name -> "did you mean " + name + "? See " + command.qualifiedName() + " --help")
                        .orElse(help));
    }

    private static Optional<String> nearest(String unmatched, CommandSpec command, Set<String> names) {
        String flag = "--" + unmatched;
        return command.optionsMap().containsKey(flag) ? Optional.of(flag) : NearestName.to(unmatched, names);
    }

    private static CommandFailure describe(Exception failure) {
        if (failure instanceof CommandFailure told) {
            return told;
        }
        if (failure instanceof Problem problem) {
            return new CommandFailure(
                    ExitCode.FAILED, errors(problem), problem.hint().orElseGet(() -> hint(problem)));
        }
        if (failure instanceof CellUnreachable unreachable) {
            return new CommandFailure(
                    ExitCode.NO_CELL, List.of(String.valueOf(unreachable.getMessage())), unreachable.hint());
        }
        if (failure instanceof StartRefusedException refused) {
            return CommandFailure.failed(String.valueOf(refused.getMessage()), refused.hint());
        }
        if (failure instanceof PluginRefusedException refused) {
            return CommandFailure.failed(String.valueOf(refused.getMessage()), refused.hint());
        }
        if (failure instanceof ImpossibleParameterException impossible) {
            return CommandFailure.usage(String.valueOf(impossible.getMessage()), impossible.hint());
        }
        if (failure instanceof IOException file) {
            return CommandFailure.failed(FileWords.of(file), "");
        }
        return CommandFailure.failed(
                "cella failed inside, which is a defect of it: " + failure, "CELLA_DEBUG=1 prints where");
    }

    /** All faults of what was asked. The detail has the first one, and how many there are. */
    private static List<String> errors(Problem problem) {
        return problem.errors().size() > 1
                ? problem.errors().stream().map(Fault::sentence).toList()
                : List.of(problem.detail());
    }

    /** The hint that says where the known names are listed, or when to try again. */
    private static String hint(Problem problem) {
        if (problem.type() != ProblemType.NOT_FOUND) {
            return problem.retryAfter()
                    .map(time -> "try again in " + time.toSeconds() + " s")
                    .orElse("");
        }
        String what = Stream.of("machine", "pool", "token")
                .filter(noun -> problem.detail().contains(" " + noun + " "))
                .findFirst()
                .orElse("job");
        return "cella " + what + " list shows what there is";
    }
}
