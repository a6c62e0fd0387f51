package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.Pages;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.WatchOption;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.JobList;
import dev.cella.client.proto.JobState;
import dev.cella.client.proto.ListJobsRequest;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella job list}. */
@Command(
        name = "list",
        header = "Lists the jobs of the cell.",
        footer = {
            "",
            "Examples:",
            "  cella job list --state pending,running",
            "  cella job list --label app=web -o wide",
            "  cella job list --watch"
        })
public final class JobListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            description = "only jobs in this state: pending, running, finished, failed, stopping, stopped; several by"
                    + " commas")
    private List<String> states = List.of();

    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            description = "only jobs with this label, or with a label of this NAME; may be repeated, and all must hold")
    private List<String> labels = List.of();

    @Option(names = "--scheduler", paramLabel = "NAME", description = "only jobs that this scheduler plans")
    private @Nullable String scheduler;

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        ListJobsRequest request = request();
        HttpCell cell = cellOption.open(terminal);
        return watch.run(terminal, page -> {
                    JobList jobs = Pages.jobs(cell, request);
                    output.print(page, jobs, () -> print(jobs, page));
                })
                .number();
    }

    private ListJobsRequest request() {
        ListJobsRequest.Builder request = ListJobsRequest.newBuilder().addAllLabel(labels);
        states.forEach(state ->
                request.addState(StateWords.parse("--state", state, JobState.class, JobState.JOB_STATE_UNSPECIFIED)));
        if (scheduler != null) {
            request.setScheduler(scheduler);
        }
        return request.build();
    }

    private void print(JobList jobs, Terminal page) {
        if (jobs.getJobsCount() > 0) {
            JobListing.print(jobs.getJobsList(), output.isWide(), page);
        } else if (states.isEmpty() && labels.isEmpty() && scheduler == null) {
            page.say("no jobs yet: cella job run examples/hello.yaml --wait");
        } else {
            page.say("no job is like that; all of them: cella job list");
        }
    }
}
