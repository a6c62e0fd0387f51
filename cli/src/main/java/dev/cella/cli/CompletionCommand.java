package dev.cella.cli;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code cella completion}: the shell script that completes commands and options, made from the commands themselves.
 */
@Command(
        name = "completion",
        header = "Prints the script by which a shell completes cella's commands and options.",
        footer = {
            "",
            "Examples:",
            "  source <(cella completion bash)     in ~/.bashrc",
            "  source <(cella completion zsh)      in ~/.zshrc"
        })
final class CompletionCommand implements Callable<Integer> {
    private static final List<String> SHELLS = List.of("bash", "zsh");

    private final Terminal terminal;

    @Parameters(paramLabel = "SHELL", description = "bash or zsh")
    private String shell = "";

    @Spec
    private @Nullable CommandSpec spec;

    CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** One script serves both shells: it detects in which one it runs. */
    @Override
    public Integer call() {
        if (!SHELLS.contains(shell)) {
            throw CommandFailure.usage(
                    "there are completions for " + String.join(" and ", SHELLS) + ", not for " + shell,
                    "see cella completion --help");
        }
        if (spec == null) {
            throw new IllegalStateException("the command was not made by the command line");
        }
        CommandSpec root = spec.root();
        terminal.print(AutoComplete.bash(root.name(), root.commandLine()));
        return ExitCode.DONE.number();
    }
}
