package dev.cella.wholecell;

import static org.awaitility.Awaitility.await;

import dev.cella.cli.CommandClasses;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One run of the command {@code cella} as a separate process, whose output lines can be awaited. */
final class CellaProcess implements AutoCloseable {
    /** Longer than anything takes, even on a busy machine: after this time there is a fault. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    /** A launcher: a process that was started in the background inherits that an interrupt does nothing. */
    static final List<String> INTERRUPTIBLE = List.of("env", "--default-signal=INT");

    /** The rest in the pipe is read at once; a child process that lives on may keep the pipe open. */
    private static final Duration LAST_WORDS_MAX = Duration.ofSeconds(5);

    private final String name;
    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private final Thread reader;

    private CellaProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        reader = new Thread(this::readLines, "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    static CellaProcess start(Map<String, String> environment, String... arguments) {
        return start(List.of(), environment, arguments);
    }

    /**
     * @param launcher a command that executes the one after it
     */
    static CellaProcess start(List<String> launcher, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(CommandClasses.command(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            return new CellaProcess("cella " + String.join(" ", arguments), builder.start());
        } catch (IOException e) {
            throw new IllegalStateException("could not start cella " + String.join(" ", arguments), e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Its child processes, and their children. */
    List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /** Waits for a line that contains the pattern. Returns its first group, or the whole match if it has none. */
    String awaitLine(String pattern) {
        return awaitLine(pattern, PATIENCE);
    }

    String awaitLine(String pattern, Duration patience) {
        Pattern compiled = Pattern.compile(pattern);
        try {
            return await().atMost(patience).until(() -> find(compiled), found -> !found.isEmpty());
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            throw new AssertionError(name + " printed no line with " + pattern + ":\n" + output(), e);
        }
    }

    private String find(Pattern pattern) {
        boolean ended = !process.isAlive();
        if (ended) {
            awaitLastWords();
        }
        for (String line : lines()) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                return matcher.group(Math.min(1, matcher.groupCount()));
            }
        }
        if (ended) {
            throw new AssertionError(name + " has ended with " + process.exitValue() + ":\n" + output());
        }
        return "";
    }

    /** A process may have ended before all its output has been read. */
    private void awaitLastWords() {
        try {
            reader.join(LAST_WORDS_MAX.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while reading what " + name + " said", e);
        }
    }

    /** Waits until it has ended by itself and its output is read. Returns its exit code. */
    int awaitExit() {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError(name + " has not ended:\n" + output());
            }
            awaitLastWords();
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + name, e);
        }
    }

    /** As kill -9 does: nothing in the process notices. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Stops it for that long, as a slow machine does. */
    void pause(Duration pause) {
        run("kill -STOP %1$d; sleep %2$s; kill -CONT %1$d".formatted(pid(), pause.toMillis() / 1000.0));
    }

    /** It says nothing any more, until it goes on: for the others, as if its machine had lost its power. */
    void hang() {
        run("kill -STOP " + pid());
    }

    void goOn() {
        run("kill -CONT " + pid());
    }

    private void run(String script) {
        try {
            int result = new ProcessBuilder("sh", "-c", script).start().waitFor();
            if (result != 0) {
                throw new AssertionError(script + " failed for " + name);
            }
        } catch (IOException e) {
            throw new IllegalStateException(script + " failed for " + name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted in " + script + " for " + name, e);
        }
    }

    /** As Ctrl-C and kill do: it is asked to stop. Its output is read to its end. */
    int terminate() {
        askToStop();
        return awaitExit();
    }

    /** As Ctrl-C does, for one that was started {@link #INTERRUPTIBLE}. */
    void interrupt() {
        try {
            new ProcessBuilder("kill", "-INT", Long.toString(pid())).start();
        } catch (IOException e) {
            throw new IllegalStateException("could not interrupt " + name, e);
        }
    }

    /** {@link Process#destroy} would close the output, and what it says while it stops would be lost. */
    private void askToStop() {
        process.toHandle().destroy();
    }

    /** Asks it to stop, so that an agent takes its tasks with it, and kills it if it does not. */
    void terminateOrKill() {
        askToStop();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            kill();
        }
    }

    /** The lines of stack traces in an output or a log. */
    static List<String> tracesIn(String text) {
        return text.lines()
                .filter(line -> line.matches("\\s+at [\\w.$/@]+\\(.*\\).*"))
                .toList();
    }

    String output() {
        return String.join("\n", lines());
    }

    private List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    private void readLines() {
        try (BufferedReader reader = process.inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                }
            }
        } catch (IOException e) {
            synchronized (lines) {
                lines.add("(its output could not be read on: " + e.getMessage() + ")");
            }
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
