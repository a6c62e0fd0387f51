package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.Pages;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.LogStream;
import dev.cella.client.proto.LogsQuery;
import dev.cella.client.proto.Task;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code cella job logs}: the output of tasks. The output of one task is raw; with several tasks their names are before each
 * line.
 */
@Command(
        name = "logs",
        header = "Prints what the tasks of a job have written.",
        description = {
            "",
            "The output of one task is printed as it is; of several, each line is headed by GROUP/INDEX.",
            ""
        },
        footer = {"", "Examples:", "  cella job logs hello", "  cella job logs hello/main/0 --follow"})
public final class JobLogsCommand implements Callable<Integer> {
    private static final int FOLLOWED_MAX = 64;

    private final Terminal terminal;

    @Parameters(paramLabel = "NAME[/GROUP[/INDEX]]", description = "a job, one of its groups, or one task")
    private String name = "";

    @Option(
            names = {"-f", "--follow"},
            description = "go on printing until the tasks have ended for good, from one attempt to the next")
    private boolean follow;

    @Option(names = "--stderr", description = "what the tasks wrote as errors, instead of their output")
    private boolean stderr;

    @Option(names = "--attempt", paramLabel = "N", description = "the output of this attempt (default: the latest)")
    private @Nullable Integer attempt;

    @Option(names = "--tail", paramLabel = "N", description = "only the last N lines")
    private @Nullable Integer tail;

    @Mixin
    private final CellOption cellOption = new CellOption();

    public JobLogsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        TaskSelection selection = TaskSelection.parse(name);
        checkAtLeast("--attempt", attempt, 1);
        checkAtLeast("--tail", tail, 0);
        HttpCell cell = cellOption.open(terminal);
        LogReader reader = new LogReader(cell, query(), terminal);
        if (selection.isOneTask()) {
            reader.printBare(selection.job() + "/" + selection.group() + "/"
                    + selection.index().getAsInt());
        } else {
            print(selection, cell, reader);
        }
        return ExitCode.DONE.number();
    }

    private static void checkAtLeast(String option, @Nullable Integer value, int min) {
        if (value != null && value < min) {
            throw CommandFailure.usage(option + " is at least " + min + ", not " + value, "see cella job logs --help");
        }
    }

    private LogsQuery query() {
        LogsQuery.Builder query = LogsQuery.newBuilder()
                .setStream(stderr ? LogStream.LOG_STREAM_STDERR : LogStream.LOG_STREAM_STDOUT)
                .setFollow(follow);
        if (attempt != null) {
            query.setAttempt(attempt);
        }
        if (tail != null) {
            query.setTail(tail);
        }
        return query.build();
    }

    private void print(TaskSelection selection, HttpCell cell, LogReader reader) throws InterruptedException {
        List<String> tasks = tasks(selection, cell);
        if (tasks.isEmpty()) {
            sayNothingIsThere(selection, cell);
        } else if (tasks.size() == 1) {
            reader.printBare(tasks.get(0));
        } else if (follow) {
            refuseTooMany(tasks.size());
            reader.followHeaded(tasks);
        } else {
            reader.printEach(tasks);
        }
    }

    /** A job that does not exist is refused by the cell here. */
    private void sayNothingIsThere(TaskSelection selection, HttpCell cell) {
        JobStatus job =
                cell.getJob(GetJobRequest.newBuilder().setName(selection.job()).build());
        terminal.say("no task of " + name + " has started, so nothing is written: cella job status " + job.getName());
    }

    private List<String> tasks(TaskSelection selection, HttpCell cell) {
        ListTasksRequest request =
                ListTasksRequest.newBuilder().setJob(selection.job()).build();
        return Pages.tasks(cell, request).getTasksList().stream()
                .filter(selection::includes)
                .map(Task::getTask)
                .toList();
    }

    private static void refuseTooMany(int tasks) {
        if (tasks > FOLLOWED_MAX) {
            throw CommandFailure.usage(
                    "these are " + tasks + " tasks, and at most " + FOLLOWED_MAX + " can be followed at once",
                    "name a group or a task, as in hello/main/0");
        }
    }
}
