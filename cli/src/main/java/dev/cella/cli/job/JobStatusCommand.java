package dev.cella.cli.job;

import com.google.protobuf.Message;
import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.Pages;
import dev.cella.cli.terminal.HarmlessText;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.WatchOption;
import dev.cella.cli.terminal.Words;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobTasks;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskList;
import dev.cella.client.proto.TaskLocality;
import dev.cella.client.proto.TaskState;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella job status}: the job's row, and under it a row for each task that was ever placed. */
@Command(
        name = "status",
        header = "Shows a job and its tasks.",
        description = {
            "",
            "Shows the first 100 tasks, unless --all is given.",
            "As JSON or YAML it is the job's row alone; with --all or --state {job, tasks[]}, and with --history"
                    + " {job, attempts[], whole}, where whole is false if earlier attempts are missing.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  cella job status hello",
            "  cella job status hello --state failed",
            "  cella job status hello --history"
        })
public final class JobStatusCommand implements Callable<Integer> {
    private static final int TASKS_MAX = 100;
    private static final double PERCENT = 100;

    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the job")
    private String name = "";

    @Option(names = "--all", description = "all tasks, not only the first 100")
    private boolean all;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            description = "only tasks in this state: pending, placed, running, stopping, finished, failed, killed,"
                    + " preempted, lost; several by commas")
    private List<String> states = List.of();

    @Option(names = "--history", description = "every attempt of each task, as far back as the cell keeps its timeline")
    private boolean history;

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobStatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        TaskSelection.parseJob(name);
        List<TaskState> wanted = states.stream()
                .map(state -> StateWords.parse("--state", state, TaskState.class, TaskState.TASK_STATE_UNSPECIFIED))
                .toList();
        HttpCell cell = cellOption.open(terminal);
        return watch.run(terminal, page -> {
                    JobStatus job =
                            cell.getJob(GetJobRequest.newBuilder().setName(name).build());
                    Message answer = output.isTable() ? job : answer(job, wanted, cell, page);
                    output.print(page, answer, () -> print(job, wanted, cell, page));
                })
                .number();
    }

    /** The job alone, unless more is asked for. */
    private Message answer(JobStatus job, List<TaskState> wanted, HttpCell cell, Terminal page) {
        if (history) {
            return past(job, wanted, cell, page).answer(job);
        }
        return all || !wanted.isEmpty()
                ? JobTasks.newBuilder()
                        .setJob(job)
                        .addAllTasks(tasks(job, wanted, cell, page))
                        .build()
                : job;
    }

    private void print(JobStatus job, List<TaskState> wanted, HttpCell cell, Terminal page) {
        JobListing.print(List.of(job), output.isWide(), page);
        if (!job.getReason().isEmpty()) {
            page.print("reason: " + job.getReason());
        }
        if (job.hasUsage()) {
            page.print("usage: " + UsageLines.describe(job.getUsage()));
        }
        if (job.getLabelsCount() > 0) {
            page.print("labels: " + HarmlessText.word(JobListing.labels(job)));
        }
        printShares(job, page);
        if (job.hasUpdatedVersion()) {
            page.print("updated at version " + job.getUpdatedVersion());
        }
        if (job.getGenerationsCount() > 1) {
            page.print(generations(job));
        }
        if (job.hasRevertedTo()) {
            page.print("the same as generation " + job.getRevertedTo());
        }
        if (job.hasUpdate()) {
            page.print("update: " + job.getUpdate());
        }
        List<Task> tasks = history ? past(job, wanted, cell, page).attempts() : tasks(job, wanted, cell, page);
        if (!tasks.isEmpty()) {
            page.print("");
            AttemptListing.print(tasks, page);
            new FailedTasks(cell, page).print(tasks);
        }
        if (job.getOutdated() > 0) {
            page.say(Words.plural(job.getOutdated(), "task") + " on machines still run an older generation than "
                    + job.getGeneration());
            page.say("next:  " + next(job));
        }
    }

    private String next(JobStatus job) {
        if (job.getAwaitsPromotion()) {
            return "cella job promote " + name + ", or cella job revert " + name;
        }
        return job.getUpdate().isEmpty() ? "cella job restart " + name : "cella job status " + name + " --watch";
    }

    private static String generations(JobStatus job) {
        return job.getGenerationsList().stream()
                .map(each -> "generation " + each.getGeneration() + ": " + each.getRunning() + " of "
                        + Words.plural(each.getTasks(), "task"))
                .collect(Collectors.joining(", ", "running: ", ""));
    }

    private static void printShares(JobStatus job, Terminal page) {
        if (job.getDominantShare() > 0) {
            page.print(String.format(
                    Locale.ROOT,
                    "share: %.1f %% of the cell (its largest dimension)",
                    job.getDominantShare() * PERCENT));
        }
        if (job.hasLocality()) {
            TaskLocality near = job.getLocality();
            page.print("locality: " + near.getNode() + " at their input, " + near.getRack() + " in its rack, "
                    + near.getAny() + " elsewhere");
        }
    }

    private JobHistory past(JobStatus job, List<TaskState> wanted, HttpCell cell, Terminal page) {
        JobHistory past = JobHistory.of(job, cell).with(tasks(job, List.of(), cell, page));
        if (!past.isWhole()) {
            page.say("note:  the cell shows the newest " + JobHistory.STEPS_MAX + " steps of " + job.getName()
                    + " that it still keeps; earlier attempts are missing");
        }
        List<Task> attempts = past.attempts().stream()
                .filter(task -> wanted.isEmpty() || wanted.contains(task.getState()))
                .sorted(Comparator.comparing(JobStatusCommand::place).thenComparingInt(Task::getAttempt))
                .toList();
        return new JobHistory(attempts, past.isWhole());
    }

    /** The group and the index of a task, padded so that 10 comes after 9. */
    private static String place(Task task) {
        int slash = task.getTask().lastIndexOf('/');
        return task.getTask().substring(0, slash)
                + String.format(
                        Locale.ROOT, "/%09d", Integer.parseInt(task.getTask().substring(slash + 1)));
    }

    private List<Task> tasks(JobStatus job, List<TaskState> wanted, HttpCell cell, Terminal page) {
        ListTasksRequest request = ListTasksRequest.newBuilder()
                .setJob(job.getName())
                .addAllState(wanted)
                .build();
        if (all) {
            return Pages.tasks(cell, request).getTasksList();
        }
        TaskList tasks = cell.listTasks(request.toBuilder().setLimit(TASKS_MAX).build());
        if (!tasks.getNextPageToken().isEmpty()) {
            page.say("the first " + TASKS_MAX + " tasks; all of them: cella job status " + name + " --all");
        }
        return tasks.getTasksList();
    }
}
