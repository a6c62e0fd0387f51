package dev.cella.agent.guard;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's end of its guard: starts the guard's process, tells it what to watch, and starts another one when it dies.
 *
 * <h2>No moment unguarded</h2>
 *
 * A task that is started first and announced afterwards lives unguarded in between, and the agent may be killed just
 * then. So it is the other way round: {@link #watch} announces the attempt's mark and returns when the guard has
 * answered; only then may the first process be started, with the mark in its environment. The guard finds a marked
 * process without knowing its number. {@link #led} adds the number, by which the guard also finds what dropped the mark.
 *
 * <p>While a guard that died is replaced, a tenth of a second, tasks that run have none; nothing is started meanwhile. If
 * the agent is killed in just that time, its tasks go on until the machine's next agent.
 *
 * <p>Any thread may call it; a lock guards the list and the pipe. One thread reads what each guard answers.
 */
public final class Guard implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(Guard.class);

    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(10);
    private static final Duration EXIT_PATIENCE = Duration.ofSeconds(1);

    private final List<String> command;
    private final Duration lease;
    private final Map<String, TaskProcesses> watched = new LinkedHashMap<>();
    private final Map<String, CompletableFuture<Void>> unanswered = new HashMap<>();
    private @Nullable Process process;
    private @Nullable Writer pipe;
    private boolean closed;

    private Guard(List<String> command, Duration lease) {
        this.command = command;
        this.lease = lease;
    }

    /**
     * Starts a guard that kills what it watches when it has not been renewed for so long. It leads a session of its own,
     * for an interrupt at the terminal is for the agent, which still needs its guard. Where the agent is itself a task, the
     * guard does not carry that task's mark: it has work to do when that one is killed.
     */
    public static Guard start(Path setsid, Duration lease) {
        Guard guard = new Guard(command(setsid, lease), lease);
        guard.startProcess();
        return guard;
    }

    private static List<String> command(Path setsid, Duration lease) {
        return List.of(
                setsid.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms4m",
                "-Xmx16m",
                "-Xss256k",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xshare:auto",
                "-cp",
                classPath(),
                GuardMain.class.getName(),
                Long.toString(lease.toMillis()));
    }

    private static String classPath() {
        try {
            return new File(GuardMain.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .getPath();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("the guard's classes are at no path", impossible);
        }
    }

    private synchronized void startProcess() {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().remove(TaskProcesses.MARK_VARIABLE);
            Process started = builder.start();
            process = started;
            pipe = new OutputStreamWriter(started.getOutputStream(), StandardCharsets.UTF_8);
            watched.values().forEach(this::sayAllOf);
            Thread reader = new Thread(() -> read(started), "guard-answers");
            reader.setDaemon(true);
            reader.start();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot start the guard: " + String.join(" ", command), failure);
        }
    }

    private void sayAllOf(TaskProcesses task) {
        say("watch " + task.mark());
        task.leader().ifPresent(leader -> sayLed(task.mark(), leader));
    }

    private void sayLed(String mark, TaskProcesses.Leader leader) {
        say("led " + mark + " " + leader.pid() + " " + leader.startTicks());
    }

    /** A line that cannot be written is not lost: the guard is dead, and the next one is told everything. */
    private synchronized void say(String line) {
        try {
            if (pipe != null) {
                pipe.write(line + "\n");
                pipe.flush();
            }
        } catch (IOException guardIsGone) {
            pipe = null;
        }
    }

    private void read(Process guard) {
        try (BufferedReader answers = guard.inputReader(StandardCharsets.UTF_8)) {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                answered(line.substring(line.indexOf(' ') + 1));
            }
        } catch (IOException guardIsGone) {
            // as at the end of its answers
        }
        replace(guard);
    }

    private synchronized void answered(String mark) {
        CompletableFuture<Void> waiting = unanswered.remove(mark);
        if (waiting != null) {
            waiting.complete(null);
        }
    }

    private synchronized void replace(Process guard) {
        if (!closed) {
            guard.destroyForcibly();
            logger.warn("guard={} event=died watched={}: starting another", guard.pid(), watched.size());
            startProcess();
        }
    }

    /**
     * Announces an attempt that is about to be started, and returns once the guard watches for it. Who starts something lives:
     * a guard whose lease was over has one again, and kills that attempt too when it is over once more.
     *
     * @throws IOException no guard answered: nothing may be started
     */
    public TaskProcesses watch(String mark) throws IOException, InterruptedException {
        TaskProcesses task = TaskProcesses.expected(mark);
        CompletableFuture<Void> answer = new CompletableFuture<>();
        synchronized (this) {
            watched.put(mark, task);
            unanswered.put(mark, answer);
            renew();
            say("watch " + mark);
        }
        if (!isAnswered(answer)) {
            forget(task);
            replaceHanging();
            throw new IOException("the guard did not answer within " + ANSWER_PATIENCE.toSeconds() + " s");
        }
        return task;
    }

    private static boolean isAnswered(CompletableFuture<Void> answer) throws InterruptedException {
        CompletableFuture<Boolean> within = answer.thenApply(done -> true)
                .completeOnTimeout(false, ANSWER_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return within.get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("nobody fails this future", impossible);
        }
    }

    private synchronized void replaceHanging() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    /** The announced attempt's first process is started. */
    public synchronized TaskProcesses led(TaskProcesses task, TaskProcesses.Leader leader) {
        TaskProcesses led = task.ledBy(leader);
        watched.put(task.mark(), led);
        sayLed(task.mark(), leader);
        return led;
    }

    /** None of the attempt's processes is left. */
    public synchronized void forget(TaskProcesses task) {
        watched.remove(task.mark());
        unanswered.remove(task.mark());
        say("forget " + task.mark());
    }

    /** The agent lives. It must say so again within the lease. */
    public void renew() {
        say("renew " + lease.toMillis());
    }

    /** The guard's process, for tests that kill it. */
    synchronized ProcessHandle handle() {
        if (process == null) {
            throw new IllegalStateException("no guard is started");
        }
        return process.toHandle();
    }

    /** Ends the guard, which kills whatever it still watches. */
    @Override
    public void close() {
        Process last = endInput();
        if (last != null) {
            awaitExit(last);
        }
    }

    private synchronized @Nullable Process endInput() {
        closed = true;
        try {
            if (pipe != null) {
                pipe.close();
            }
        } catch (IOException guardIsGone) {
            // then its input has ended already
        }
        return process;
    }

    private static void awaitExit(Process guard) {
        try {
            if (!guard.waitFor(EXIT_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                logger.warn("guard={} event=still-killing: left to itself", guard.pid());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
