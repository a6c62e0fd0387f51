package dev.cella.cli.job;

import dev.cella.cli.terminal.HarmlessText;
import dev.cella.cli.terminal.Screen;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.Problem;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.LogsQuery;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Copies tasks' output to the terminal. When several tasks are followed, each has a thread; lines are never mixed.
 */
final class LogReader {
    private static final int BUFFER_BYTES = 8192;
    private static final int LINES_UNSENT_MAX = 1000;

    private final HttpCell cell;
    private final LogsQuery query;
    private final Terminal terminal;
    private final AwayPatience patience;
    private long lines;

    LogReader(HttpCell cell, LogsQuery query, Terminal terminal) {
        this.cell = cell;
        this.query = query;
        this.terminal = terminal;
        this.patience = new AwayPatience(terminal.environment().clock());
    }

    /** Byte by byte, as the task wrote it. */
    void printBare(String task) throws InterruptedException {
        eachAttempt(task, log -> {
            HarmlessText harmless = harmless();
            byte[] buffer = new byte[BUFFER_BYTES];
            int read = log.read(buffer);
            while (read >= 0 && print(harmless.pass(buffer, read))) {
                read = log.read(buffer);
            }
        });
    }

    private interface Printer {
        /** Prints until the log ends, or until nobody reads what is printed. */
        void print(InputStream log) throws IOException;
    }

    /** The output of the attempt that the query names; if the task is followed, of the newest attempt and of all later ones. */
    private void eachAttempt(String task, Printer printer) throws InterruptedException {
        TaskSelection which = TaskSelection.parse(task);
        LogsQuery.Builder asked = query.toBuilder()
                .setJob(which.job())
                .setGroup(which.group())
                .setIndex(which.index().orElseThrow());
        if (!query.getFollow() || query.hasAttempt()) {
            print(output(task, asked.build()), printer);
            return;
        }
        FollowedTask followed = new FollowedTask(
                cell,
                GetTaskRequest.newBuilder()
                        .setJob(asked.getJob())
                        .setGroup(asked.getGroup())
                        .setIndex(asked.getIndex())
                        .build(),
                patience);
        int attempt = followed.first();
        printFirst(task, asked.setAttempt(attempt).build(), printer);
        for (OptionalInt next = after(attempt, followed); next.isPresent(); next = after(attempt, followed)) {
            attempt = next.getAsInt();
            terminal.say("note:  " + task + ": attempt " + attempt);
            printLater(task, asked.setAttempt(attempt).clearTail().build(), printer);
        }
    }

    /** The attempt after that one; empty also if nobody reads any longer, as with {@code | head}. */
    private OptionalInt after(int attempt, FollowedTask followed) throws InterruptedException {
        return isRead() ? followed.after(attempt) : OptionalInt.empty();
    }

    private boolean isRead() {
        return !terminal.out().checkError();
    }

    /** If it is refused, the command fails. If its rest is refused later, the attempts after it are followed all the same. */
    private void printFirst(String task, LogsQuery attempt, Printer printer) {
        AttemptOutput output = output(task, attempt);
        try {
            print(output, printer);
        } catch (Problem problem) {
            say(task, problem);
        }
    }

    /** A later attempt may have been on a machine that is gone. The attempts after it are followed all the same. */
    private void printLater(String task, LogsQuery attempt, Printer printer) {
        try {
            print(output(task, attempt), printer);
        } catch (Problem problem) {
            say(task, problem);
        }
    }

    private void say(String task, Problem problem) {
        terminal.say("note:  " + task + ": " + problem.detail());
    }

    private AttemptOutput output(String task, LogsQuery attempt) {
        return new AttemptOutput(cell, task, attempt, patience, terminal);
    }

    private static void print(AttemptOutput output, Printer printer) {
        try (output) {
            printer.print(output);
        } catch (IOException interrupted) {
            throw new UncheckedIOException(interrupted);
        }
    }

    private HarmlessText harmless() {
        return new HarmlessText(Screen.of(terminal.environment()).isTerminal());
    }

    /** Returns false when nobody reads any longer. */
    private boolean print(byte[] text) {
        terminal.out().write(text, 0, text.length);
        return isRead();
    }

    /** One task after another. Ends also when nobody reads any longer. */
    void printEach(List<String> tasks) throws InterruptedException {
        for (String task : tasks) {
            if (!isRead()) {
                return;
            }
            printHeaded(task);
        }
    }

    /** Each line after {@code group/index}; a task that has not started is skipped. */
    private void printHeaded(String task) throws InterruptedException {
        String head = task.substring(task.indexOf('/') + 1) + "  ";
        try {
            eachAttempt(task, output -> {
                BufferedReader log = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8));
                HarmlessText harmless = harmless();
                String line = log.readLine();
                while (line != null && printLine(head + harmless.pass(line))) {
                    line = log.readLine();
                }
            });
        } catch (Problem problem) {
            say(task, problem);
        }
    }

    /** Ends when all tasks have, when one of them cannot be followed, or when nobody reads any longer. */
    void followHeaded(List<String> tasks) throws InterruptedException {
        ExecutorService readers = Executors.newFixedThreadPool(tasks.size());
        CompletionService<String> ended = new ExecutorCompletionService<>(readers);
        try {
            for (String task : tasks) {
                var unused = ended.submit(() -> {
                    printHeaded(task);
                    return task;
                });
            }
            for (int left = tasks.size(); left > 0 && isRead(); left--) {
                ended.take().get();
            }
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException("following " + tasks, failed.getCause());
        } finally {
            readers.shutdownNow();
        }
    }

    /**
     * Returns false when nobody reads any longer. That is noticed by sending what was printed, which costs more than a line. So
     * only the lines of a log that is followed are sent one by one.
     */
    private boolean printLine(String line) {
        PrintStream out = terminal.out();
        synchronized (out) {
            out.println(line);
            lines++;
            return (!query.getFollow() && lines % LINES_UNSENT_MAX != 0) || isRead();
        }
    }
}
