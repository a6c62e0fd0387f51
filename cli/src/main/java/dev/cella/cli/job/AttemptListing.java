package dev.cella.cli.job;

import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.Task;
import java.time.Duration;
import java.util.List;

/** Attempts of tasks, a row each. */
final class AttemptListing {
    private AttemptListing() {}

    static void print(List<Task> tasks, Terminal terminal) {
        Table table = new Table(
                "TASK",
                ">ATTEMPT",
                "~>GENERATION",
                "STATE",
                "MACHINE",
                ">EXIT CODE",
                "~REASON",
                "?CHECK",
                "?WORK",
                "~STARTED",
                "~>TOOK");
        for (Task task : tasks) {
            table.row(
                    task.getTask(),
                    task.getAttempt(),
                    task.getGeneration() > 0 ? task.getGeneration() : "",
                    Words.word(task.getState()),
                    task.getMachine(),
                    task.hasExitCode() ? task.getExitCode() : "",
                    task.getReason(),
                    check(task),
                    task.getSpare() ? "spare" : "",
                    task.hasStartedAt() ? Words.time(task.getStartedAt()) : "",
                    took(task));
        }
        table.print(terminal);
    }

    private static String check(Task task) {
        return !task.hasChecked() ? "" : task.getChecked() ? "passed" : "awaited";
    }

    private static String took(Task task) {
        if (!task.hasStartedAt() || !task.hasEndedAt()) {
            return "";
        }
        return Words.duration(Duration.between(Words.instant(task.getStartedAt()), Words.instant(task.getEndedAt())));
    }
}
