package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskList;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella job status}: the job's row, and under it a row for each task that was ever placed. */
@Command(
        name = "status",
        header = "Shows a job and its tasks.",
        footer = {"", "Example:", "  cella job status hello"})
public final class JobStatusCommand implements Callable<Integer> {
    private static final int TASKS_MAX = 100;

    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the job")
    private String name = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobStatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        TaskSelection.parseJob(name);
        HttpCell cell = cellOption.open(terminal);
        JobStatus job = cell.getJob(GetJobRequest.newBuilder().setName(name).build());
        output.print(terminal, job, () -> print(job, cell));
        return ExitCode.DONE.number();
    }

    private void print(JobStatus job, HttpCell cell) {
        JobTable.print(List.of(job), terminal);
        if (!job.getReason().isEmpty()) {
            terminal.print("reason: " + job.getReason());
        }
        if (job.hasUpdatedVersion()) {
            terminal.print("updated at version " + job.getUpdatedVersion());
        }
        TaskList tasks = cell.listTasks(
                ListTasksRequest.newBuilder().setJob(name).setLimit(TASKS_MAX).build());
        if (tasks.getTasksCount() > 0) {
            terminal.print("");
            printTasks(tasks);
        }
    }

    private void printTasks(TaskList tasks) {
        Table table = new Table("TASK", ">ATTEMPT", "STATE", "MACHINE", ">EXIT CODE", "REASON", "STARTED", ">TOOK");
        for (Task task : tasks.getTasksList()) {
            table.row(
                    task.getTask(),
                    task.getAttempt(),
                    Words.word(task.getState()),
                    task.getMachine(),
                    task.hasExitCode() ? task.getExitCode() : "",
                    task.getReason(),
                    task.hasStartedAt() ? Words.time(task.getStartedAt()) : "",
                    took(task));
        }
        table.print(terminal);
        if (!tasks.getNextPageToken().isEmpty()) {
            terminal.say("the first " + TASKS_MAX + " tasks; all of them: GET /v1/tasks?job=" + name);
        }
    }

    private static String took(Task task) {
        if (!task.hasStartedAt() || !task.hasEndedAt()) {
            return "";
        }
        return Words.duration(Duration.between(Words.instant(task.getStartedAt()), Words.instant(task.getEndedAt())));
    }
}
