package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.Pages;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.JobList;
import dev.cella.client.proto.ListJobsRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella job list}. */
@Command(
        name = "list",
        header = "Lists the jobs of the cell.",
        footer = {"", "Example:", "  cella job list -o json"})
public final class JobListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        JobList jobs = Pages.jobs(cellOption.open(terminal), ListJobsRequest.getDefaultInstance());
        output.print(terminal, jobs, () -> print(jobs));
        return ExitCode.DONE.number();
    }

    private void print(JobList jobs) {
        if (jobs.getJobsCount() == 0) {
            terminal.say("no jobs yet: cella job run examples/hello.yaml --wait");
        } else {
            JobTable.print(jobs.getJobsList(), terminal);
        }
    }
}
