package dev.cella.cli.job;

import dev.cella.cli.terminal.HarmlessText;
import dev.cella.cli.terminal.Screen;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.Problem;
import dev.cella.client.http.HttpCell;
import dev.cella.client.http.TaskOutput;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.LogsQuery;
import dev.cella.client.proto.Task;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Copies tasks' output to the terminal. When several tasks are followed, each has a thread; lines are never mixed.
 */
final class LogReader {
    private static final int BUFFER_BYTES = 8192;

    private final HttpCell cell;
    private final LogsQuery query;
    private final Terminal terminal;

    LogReader(HttpCell cell, LogsQuery query, Terminal terminal) {
        this.cell = cell;
        this.query = query;
        this.terminal = terminal;
    }

    /** Byte by byte, as the task wrote it. */
    void printBare(String task) {
        HarmlessText harmless =
                new HarmlessText(Screen.of(terminal.environment()).isTerminal());
        try (TaskOutput output = open(task)) {
            sayDropped(task, output);
            InputStream log = output.bytes();
            byte[] buffer = new byte[BUFFER_BYTES];
            int read = log.read(buffer);
            while (read >= 0 && !terminal.out().checkError()) {
                print(harmless.pass(buffer, read));
                read = log.read(buffer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reading the log of " + task, e);
        }
    }

    private void print(byte[] text) {
        terminal.out().write(text, 0, text.length);
    }

    /** Each line after {@code group/index}; a task that has not started is skipped. */
    void printHeaded(String task) {
        String head = task.substring(task.indexOf('/') + 1) + "  ";
        try (TaskOutput output = open(task);
                BufferedReader log =
                        new BufferedReader(new InputStreamReader(output.bytes(), StandardCharsets.UTF_8))) {
            sayDropped(task, output);
            String line = log.readLine();
            HarmlessText harmless =
                    new HarmlessText(Screen.of(terminal.environment()).isTerminal());
            while (line != null && printLine(head + harmless.pass(line))) {
                line = log.readLine();
            }
        } catch (Problem problem) {
            terminal.say("note:  " + task + ": " + problem.detail());
        } catch (IOException e) {
            throw new UncheckedIOException("reading the log of " + task, e);
        }
    }

    void followHeaded(List<String> tasks) throws InterruptedException {
        ExecutorService readers = Executors.newFixedThreadPool(tasks.size());
        try {
            List<Future<?>> followed = new ArrayList<>();
            tasks.forEach(task -> followed.add(readers.submit(() -> printHeaded(task))));
            for (Future<?> reader : followed) {
                reader.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("following " + tasks, e.getCause());
        } finally {
            readers.shutdownNow();
        }
    }

    /** On standard error, so that the output stays the task's own. */
    private void sayDropped(String task, TaskOutput output) {
        if (output.droppedBytes() > 0) {
            terminal.say("note:  " + task + ": the first " + Words.bytes(output.droppedBytes())
                    + " are not kept; the agent keeps " + Words.bytes(output.limitBytes())
                    + " of each stream (cella agent --log-limit-mib)");
        }
    }

    private TaskOutput open(String task) {
        TaskSelection which = TaskSelection.parse(task);
        int index = which.index().orElseThrow();
        if (query.getFollow()) {
            awaitStart(which.job(), which.group(), index);
        }
        return cell.taskLogs(query.toBuilder()
                .setJob(which.job())
                .setGroup(which.group())
                .setIndex(index)
                .build());
    }

    /** Before a task has started there is no log: waits by polls that each end when the task changes. */
    private void awaitStart(String job, String group, int index) {
        GetTaskRequest.Builder next =
                GetTaskRequest.newBuilder().setJob(job).setGroup(group).setIndex(index);
        Task seen = cell.getTask(next.build());
        while (isBeforeStart(seen)) {
            seen = cell.getTask(next.setChangedAfter(seen.getChangedVersion()).build());
        }
    }

    private static boolean isBeforeStart(Task task) {
        return switch (task.getState()) {
            case TASK_STATE_PENDING, TASK_STATE_PLACED -> true;
            case TASK_STATE_RUNNING,
                    TASK_STATE_STOPPING,
                    TASK_STATE_FINISHED,
                    TASK_STATE_FAILED,
                    TASK_STATE_KILLED,
                    TASK_STATE_PREEMPTED,
                    TASK_STATE_LOST,
                    TASK_STATE_UNSPECIFIED,
                    UNRECOGNIZED -> false;
        };
    }

    /** Returns false when nobody reads any longer, as with {@code | head}. */
    private boolean printLine(String line) {
        PrintStream out = terminal.out();
        synchronized (out) {
            out.println(line);
            return !query.getFollow() || !out.checkError();
        }
    }
}
