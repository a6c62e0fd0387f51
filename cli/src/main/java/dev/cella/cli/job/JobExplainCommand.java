package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.ExplainJobRequest;
import dev.cella.client.proto.JobExplanation;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella job explain}: why tasks of a job are pending, with all reasons. */
@Command(
        name = "explain",
        header = "Says why tasks of a job are pending, with all reasons.",
        footer = {"", "Example:", "  cella job explain hello"})
public final class JobExplainCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the job")
    private String name = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        JobExplanation explanation = cellOption
                .open(terminal)
                .explainJob(ExplainJobRequest.newBuilder().setName(name).build());
        output.print(terminal, explanation, () -> new ExplanationText(terminal::print).print(explanation));
        return ExitCode.DONE.number();
    }
}
