package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.Pages;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella job restart}: every task on a machine gets another attempt, a few at a time. */
@Command(
        name = "restart",
        header = "Runs the tasks of a job again that are on machines.",
        description = {
            "",
            "A service is restarted one task after another, each when the one before runs again; a batch job at once."
                    + " A task starts as the job is specified now, so this also rolls out an update. It counts as no"
                    + " failure.",
            ""
        },
        footer = {"", "Examples:", "  cella job restart web", "  cella job restart web --max-parallel 3"})
public final class JobRestartCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the job")
    private String name = "";

    @Option(
            names = "--max-parallel",
            paramLabel = "N",
            description = "how many tasks at a time (default: 1 of a service, all of a batch job)")
    private @Nullable Integer parallelMax;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "5m",
            description = "give up when a task does not run again after this time (default: 5m)")
    private Duration timeout = Duration.ofMinutes(5);

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobRestartCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        TaskSelection.parseJob(name);
        if (parallelMax != null && parallelMax < 1) {
            throw CommandFailure.usage(
                    "--max-parallel is at least 1, not " + parallelMax, "see cella job restart --help");
        }
        HttpCell cell = cellOption.open(terminal);
        JobStatus job = cell.getJob(GetJobRequest.newBuilder().setName(name).build());
        if (new JobProgress(job).hasEnded()) {
            throw CommandFailure.failed(name + " has ended", "submit it again with cella job run");
        }
        List<Task> tasks = onMachines(cell);
        if (tasks.isEmpty()) {
            terminal.say("nothing of " + name + " is on a machine; what is pending starts as the job is now");
        } else {
            new JobRestart(cell, job, timeout, terminal).restart(tasks, parallelMax(job, tasks.size()));
        }
        JobStatus after = cell.getJob(GetJobRequest.newBuilder().setName(name).build());
        output.print(terminal, after, () -> JobListing.print(List.of(after), terminal));
        return ExitCode.DONE.number();
    }

    private int parallelMax(JobStatus job, int tasks) {
        if (parallelMax != null) {
            return parallelMax;
        }
        return job.getType() == JobType.JOB_TYPE_SERVICE ? 1 : tasks;
    }

    private List<Task> onMachines(HttpCell cell) {
        return Pages.tasks(
                        cell,
                        ListTasksRequest.newBuilder()
                                .setJob(name)
                                .addState(TaskState.TASK_STATE_PLACED)
                                .addState(TaskState.TASK_STATE_RUNNING)
                                .build())
                .getTasksList();
    }
}
