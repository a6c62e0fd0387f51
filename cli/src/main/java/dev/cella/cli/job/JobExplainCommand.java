package dev.cella.cli.job;

import com.google.protobuf.Message;
import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ExplainJobRequest;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.GroupExplanation;
import dev.cella.client.proto.JobExplanation;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskExplanation;
import dev.cella.client.proto.TaskState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella job explain}: why tasks of a job are pending, with all reasons. */
@Command(
        name = "explain",
        header = "Says why tasks of a job are pending, with all reasons.",
        description = {
            "",
            "For one task, JSON and YAML are {task, explanation}, without an explanation if the task is not pending.",
            ""
        },
        footer = {"", "Examples:", "  cella job explain hello", "  cella job explain hello/main/3"})
public final class JobExplainCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME[/GROUP[/INDEX]]", description = "the job, one of its groups, or one task")
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
        TaskSelection selection = TaskSelection.parse(name);
        HttpCell cell = cellOption.open(terminal);
        JobExplanation whole = cell.explainJob(
                ExplainJobRequest.newBuilder().setName(selection.job()).build());
        JobExplanation explanation = selection.group().isEmpty() ? whole : ofGroup(whole, selection.group());
        Optional<Task> task = task(selection, cell);
        Message answer = task.isEmpty() ? explanation : ofTask(task.get(), explanation);
        output.print(terminal, answer, () -> print(task, explanation));
        return ExitCode.DONE.number();
    }

    private static JobExplanation ofGroup(JobExplanation whole, String group) {
        List<GroupExplanation> asked = whole.getGroupsList().stream()
                .filter(each -> each.getGroup().equals(group))
                .toList();
        if (asked.isEmpty()) {
            throw CommandFailure.failed(
                    "job " + whole.getJob() + " has no group " + group,
                    "it has "
                            + whole.getGroupsList().stream()
                                    .map(GroupExplanation::getGroup)
                                    .collect(Collectors.joining(", ")));
        }
        return whole.toBuilder().clearGroups().addAllGroups(asked).build();
    }

    private static Optional<Task> task(TaskSelection selection, HttpCell cell) {
        return selection.isOneTask()
                ? Optional.of(cell.getTask(GetTaskRequest.newBuilder()
                        .setJob(selection.job())
                        .setGroup(selection.group())
                        .setIndex(selection.index().getAsInt())
                        .build()))
                : Optional.empty();
    }

    /** For a task that is not pending, there is only its place to show. */
    private static TaskExplanation ofTask(Task task, JobExplanation explanation) {
        TaskExplanation.Builder answer = TaskExplanation.newBuilder().setTask(task);
        return isPending(task) ? answer.setExplanation(explanation).build() : answer.build();
    }

    private static boolean isPending(Task task) {
        return task.getState() == TaskState.TASK_STATE_PENDING;
    }

    private void print(Optional<Task> task, JobExplanation explanation) {
        task.ifPresent(each -> terminal.print(sentence(each)));
        if (task.isEmpty() || isPending(task.get())) {
            new ExplanationText(terminal::print).print(explanation);
        }
    }

    private static String sentence(Task task) {
        String attempt = task.getAttempt() == 0 ? "" : ", attempt " + task.getAttempt();
        String machine = task.getMachine().isEmpty() ? "" : " on " + task.getMachine();
        String reason = task.getReason().isEmpty() ? "" : " (" + task.getReason() + ")";
        String queues =
                task.getQueuedOnCount() == 0 ? "" : ", in the queues of " + String.join(", ", task.getQueuedOnList());
        String spare = task.getSpare() ? ", as spare work: it ends first when other work needs the room" : "";
        return task.getTask() + " is " + Words.word(task.getState()) + machine + attempt + reason + queues + spare;
    }
}
