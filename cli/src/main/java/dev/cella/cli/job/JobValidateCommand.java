package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.proto.Job;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella job validate}: checks the form of a job file as the cell would, without asking it. */
@Command(
        name = "validate",
        header = "Checks a job file. Needs no cell.",
        description = {
            "",
            "Prints all faults at once, each with its line and column. If a cell answers, it also says whether the"
                    + " job's scheduler has a session there.",
            ""
        },
        footer = {"", "Example:", "  cella job validate examples/hello.yaml"})
public final class JobValidateCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "the job in YAML or JSON; - reads it from standard input")
    private String file = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobValidateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Job job = JobFile.read(file, terminal);
        output.print(terminal, job, () -> terminal.print(describe(job)));
        note(job).ifPresent(note -> terminal.say("note:  " + note));
        return ExitCode.DONE.number();
    }

    /** A cell that does not answer is no fault of the file. */
    private Optional<String> note(Job job) {
        try {
            return ServedNote.of(job, cellOption.open(terminal));
        } catch (CellUnreachable | Problem noAnswer) {
            return Optional.empty();
        }
    }

    private String describe(Job job) {
        return file + " is a job: " + job.getName() + ", " + Words.word(job.getType()) + ", "
                + Words.plural(job.getGroupsCount(), "group") + ", " + Words.plural(JobFile.tasks(job), "task");
    }
}
