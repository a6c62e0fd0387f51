package dev.cella.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cella.cli.terminal.HarmlessText;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.http.TaskOutput;
import dev.cella.client.proto.LogStream;
import dev.cella.client.proto.LogsQuery;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Explains the exit codes of failed tasks, and shows the last line that they wrote as errors. */
final class FailedTasks {
    private static final int SHOWN_MAX = 5;
    private static final int BYTES_MAX = 8_192;

    private final HttpCell cell;
    private final Terminal terminal;

    FailedTasks(HttpCell cell, Terminal terminal) {
        this.cell = cell;
        this.terminal = terminal;
    }

    void print(List<Task> tasks) {
        List<Task> failed = tasks.stream()
                .filter(task -> task.getState() == TaskState.TASK_STATE_FAILED)
                .toList();
        boolean attempts = failed.stream().map(Task::getTask).distinct().count() < failed.size();
        if (!failed.isEmpty()) {
            terminal.print("");
            failed.stream()
                    .limit(SHOWN_MAX)
                    .map(task -> task.getTask() + (attempts ? ", attempt " + task.getAttempt() : "") + ": " + how(task))
                    .forEach(terminal::print);
        }
    }

    private String how(Task task) {
        String code = task.hasExitCode() ? "exit code " + task.getExitCode() : task.getReason();
        String meaning = task.hasExitCode()
                ? ExitCodes.meaning(task.getExitCode())
                        .map(text -> " (" + text + ")")
                        .orElse("")
                : "";
        String last =
                lastLine(task).map(line -> "; its last error line: " + line).orElse("");
        return code + meaning + last;
    }

    /** A log may be gone, or on a machine that does not answer; then only the exit code is shown. */
    private Optional<String> lastLine(Task task) {
        TaskSelection which = TaskSelection.parse(task.getTask());
        LogsQuery query = LogsQuery.newBuilder()
                .setJob(which.job())
                .setGroup(which.group())
                .setIndex(which.index().orElseThrow())
                .setAttempt(task.getAttempt())
                .setStream(LogStream.LOG_STREAM_STDERR)
                .setTail(1)
                .build();
        try (TaskOutput log = cell.taskLogs(query)) {
            String text = new String(log.bytes().readNBytes(BYTES_MAX), UTF_8).strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(new HarmlessText(true).pass(text));
        } catch (Problem | CellUnreachable | IOException gone) {
            return Optional.empty();
        }
    }
}
