package dev.cella.state.web.service;

import dev.cella.client.proto.TaskFailures;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Why the last attempts of a job's tasks failed, by reason, and what to do about it. */
final class FailedAttempts {
    /** Enough tasks to see what is wrong; a job may have a hundred thousand. */
    private static final int TASKS_READ_MAX = 10_000;

    private FailedAttempts() {}

    static List<TaskFailures> of(CellView view, JobRow job) {
        Map<TaskReason, TaskFailures.Builder> failures = new EnumMap<>(TaskReason.class);
        int left = TASKS_READ_MAX;
        for (GroupRow group : job.groups()) {
            int count = Math.min(left, group.header().count());
            for (int index = 0; index < count; index++) {
                if (view.taskState(group, index) == TaskState.FAILED) {
                    add(view.task(group, index), failures);
                }
            }
            left -= count;
        }
        return failures.values().stream()
                .sorted(Comparator.comparingLong(TaskFailures.Builder::getTasks).reversed())
                .map(TaskFailures.Builder::build)
                .toList();
    }

    private static void add(TaskRow task, Map<TaskReason, TaskFailures.Builder> failures) {
        TaskFailures.Builder failure = failures.computeIfAbsent(task.reason(), reason -> firstOf(task, reason));
        failure.setTasks(failure.getTasks() + 1);
    }

    private static TaskFailures.Builder firstOf(TaskRow task, TaskReason reason) {
        TaskFailures.Builder failure = TaskFailures.newBuilder()
                .setReason(reason == TaskReason.NONE ? "EXIT_CODE" : reason.name())
                .setExample(task.jobName() + "/" + task.groupName() + "/"
                        + task.id().index())
                .setAdvice(advice(reason));
        task.exitCode().ifPresent(failure::setExitCode);
        return failure;
    }

    private static String advice(TaskReason reason) {
        return switch (reason) {
            case NONE ->
                "its program ended so by itself: read its output (cella job logs, and with --stderr what it wrote as errors)";
            case COMMAND_NOT_FOUND ->
                "its machine has no such program: give its whole path, or ask for machines that have it (constraints)";
            case DIRECTORY_NOT_FOUND ->
                "its machine has no such directory: correct run.directory, or leave it out to run in a directory of its own";
            case DIRECTORY_FORBIDDEN ->
                "its user may not enter run.directory: change the directory's mode, or set run.user to one who may";
            case USER_NOT_FOUND ->
                "its machine has no user run.user: make the user there, or leave it out to run as the machine's task user";
            case NOT_ISOLATED ->
                "its machine does not have run.isolation: ask for machines that do (constraints on the attribute isolation)";
            case NOT_STARTED -> "its machine could not start it: its standard error says why (cella job logs --stderr)";
            case OUT_OF_MEMORY -> "it used more than it asked for: ask for more memoryMib";
            case OUT_OF_DISK -> "it used more than it asked for: ask for more diskMib";
            case TIMEOUT -> "it ran longer than run.timeout: allow more, or make it faster";
            case UNHEALTHY ->
                "its check failed too often: its standard error says what the check saw (cella job logs --stderr); correct the check, or allow more failuresMax";
            case DOES_NOT_FIT ->
                "its agent and the cell disagree about what runs on its machine: report this as a fault of Cella";
            case KILLED,
                    PREEMPTED,
                    DRAINED,
                    UPDATED,
                    COPY,
                    MACHINE_LOST,
                    AGENT_LOST,
                    TOO_MANY_FAILURES,
                    AWAITS_CHECK,
                    CHECKED -> "nothing is wrong with the task itself";
        };
    }
}
