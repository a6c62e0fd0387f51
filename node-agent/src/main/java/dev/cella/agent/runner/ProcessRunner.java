package dev.cella.agent.runner;

import dev.cella.agent.guard.Guard;
import dev.cella.agent.guard.TaskProcesses;
import dev.cella.agent.logs.AttemptKey;
import dev.cella.agent.logs.AttemptOutput;
import dev.cella.agent.logs.OutputStore;
import dev.cella.agent.logs.Stream;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.client.job.ArgumentTemplate;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskReason;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs attempts as processes of the operating system.
 *
 * <h2>From fork to the end</h2>
 *
 * The guard is told of the attempt's mark before the fork ({@link Guard}). The first process leads a session of its own;
 * {@code setsid} and, where the user changes, {@code setpriv} replace themselves by the command, so it stays one process.
 * When it exits, whatever it left behind is killed, and only then the attempt has ended.
 *
 * <p>All that is done to processes is done on one thread, in order: so a stop that follows a start finds it started.
 * Each stream of output has a thread that pumps it ({@link OutputPump}).
 */
public final class ProcessRunner implements TaskRunner {
    private static final Logger logger = LoggerFactory.getLogger(ProcessRunner.class);

    private static final Duration LEFTOVERS_PATIENCE = Duration.ofSeconds(2);
    private static final Duration CLOSE_GRACE = Duration.ofSeconds(1);
    private static final Duration CLOSE_KILL = Duration.ofSeconds(1);

    private static final File NO_INPUT = new File("/dev/null");

    private final Isolation isolation;
    private final Guard guard;
    private final OutputStore outputs;
    private final String markPrefix;
    private final Map<PlacementId, RunningAttempt> running = new ConcurrentHashMap<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread created = new Thread(work, "task-processes");
        created.setDaemon(true);
        return created;
    });

    /** The mark prefix tells the processes of this agent from those of all others: a number that is never used again. */
    public ProcessRunner(Isolation isolation, Guard guard, OutputStore outputs, String markPrefix) {
        this.isolation = isolation;
        this.guard = guard;
        this.outputs = outputs;
        this.markPrefix = markPrefix;
    }

    @Override
    public void start(String machine, Launch launch, Listener listener) {
        thread.execute(() -> startNow(machine, launch, listener));
    }

    private void startNow(String machine, Launch launch, Listener listener) {
        Assignment assignment = launch.assignment();
        PlacementId placement = assignment.placement();
        AttemptOutput output;
        try {
            output = outputs.create(key(machine, assignment));
        } catch (IOException failure) {
            logger.warn("task={} machine={} event=no-output-folder", assignment, machine, failure);
            listener.ended(placement, TaskEnd.neverStarted(TaskReason.NOT_STARTED));
            return;
        }
        try {
            RunningAttempt attempt = fork(machine, launch, output, listener);
            running.put(placement, attempt);
            listener.started(placement);
            then(attempt.exit(), () -> exited(attempt));
        } catch (NotStartedException refusal) {
            notStarted(placement, output, refusal, listener);
        }
    }

    private static AttemptKey key(String machine, Assignment assignment) {
        return new AttemptKey(
                machine,
                assignment.task().job().version(),
                assignment.task().group(),
                assignment.task().index(),
                assignment.attempt());
    }

    /** The user reads why in the task's own output. */
    private void notStarted(
            PlacementId placement, AttemptOutput output, NotStartedException refusal, Listener listener) {
        try {
            byte[] line = ("cella: " + refusal.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
            output.append(Stream.STDERR, line, line.length);
        } catch (IOException failure) {
            logger.warn("placement={} event=not-started: {}", placement, refusal.getMessage(), failure);
        }
        outputs.ended(output);
        listener.ended(placement, TaskEnd.neverStarted(refusal.reason()));
    }

    private RunningAttempt fork(String machine, Launch launch, AttemptOutput output, Listener listener)
            throws NotStartedException {
        String mark = markPrefix + "-" + launch.assignment().placement();
        TaskEnvironment environment = TaskEnvironment.of(machine, launch, mark, System.getenv());
        Path directory = directory(launch, output);
        ProcessBuilder builder = new ProcessBuilder(isolation.wrap(command(launch, environment, directory)))
                .directory(directory.toFile())
                .redirectInput(NO_INPUT);
        builder.environment().clear();
        builder.environment().putAll(environment.variables());
        TaskProcesses processes = watch(mark);
        try {
            Process process = builder.start();
            TaskProcesses led = TaskProcesses.Leader.find(process.pid())
                    .map(leader -> guard.led(processes, leader))
                    .orElse(processes);
            return new RunningAttempt(launch.assignment(), process, led, output, listener);
        } catch (IOException failure) {
            guard.forget(processes);
            throw new NotStartedException(TaskReason.NOT_STARTED, "cannot be started: " + failure.getMessage());
        }
    }

    private Path directory(Launch launch, AttemptOutput output) throws NotStartedException {
        Path own = ownDirectory(output);
        Path directory = launch.run().directory().map(own::resolve).orElse(own);
        if (!Files.isDirectory(directory)) {
            throw new NotStartedException(TaskReason.DIRECTORY_NOT_FOUND, "no such directory: " + directory);
        }
        return directory;
    }

    /** A folder for the attempt to work in, its user's own. */
    private Path ownDirectory(AttemptOutput output) throws NotStartedException {
        Path own = output.folder().resolve("work");
        try {
            Files.createDirectories(own);
            if (isolation.user().isPresent()) {
                int userId = isolation.user().get().userId();
                Files.setAttribute(own, "unix:uid", userId);
            }
            return own;
        } catch (IOException failure) {
            throw new NotStartedException(TaskReason.NOT_STARTED, "cannot make " + own + ": " + failure.getMessage());
        }
    }

    private static List<String> command(Launch launch, TaskEnvironment environment, Path directory)
            throws NotStartedException {
        List<String> command;
        try {
            command = launch.run().command().stream()
                    .map(argument -> ArgumentTemplate.parse(argument).fill(environment.values()))
                    .toList();
        } catch (IllegalArgumentException unknown) {
            throw new NotStartedException(TaskReason.NOT_STARTED, String.valueOf(unknown.getMessage()));
        }
        String searchPath = environment.variables().getOrDefault("PATH", "");
        if (Programs.find(command.get(0), directory, searchPath).isEmpty()) {
            throw new NotStartedException(TaskReason.COMMAND_NOT_FOUND, "command not found: " + command.get(0));
        }
        return command;
    }

    private TaskProcesses watch(String mark) throws NotStartedException {
        try {
            return guard.watch(mark);
        } catch (IOException failure) {
            throw new NotStartedException(TaskReason.NOT_STARTED, String.valueOf(failure.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new NotStartedException(TaskReason.NOT_STARTED, "the agent is being closed");
        }
    }

    private void exited(RunningAttempt attempt) {
        if (!TaskProcesses.kill(List.of(attempt.processes()), LEFTOVERS_PATIENCE)) {
            logger.warn("task={} event=processes-left: they do not die", attempt.assignment());
        }
        then(attempt.pumped(), () -> ended(attempt));
    }

    private void then(CompletableFuture<?> event, Runnable work) {
        CompletableFuture<?> unused = event.whenComplete((done, failure) -> thread.execute(work));
    }

    private void ended(RunningAttempt attempt) {
        guard.forget(attempt.processes());
        outputs.ended(attempt.output());
        running.remove(attempt.assignment().placement());
        attempt.tellEnd();
    }

    @Override
    public void terminate(PlacementId placement) {
        thread.execute(() -> signal(find(placement), TaskProcesses::terminate));
    }

    @Override
    public void kill(PlacementId placement) {
        thread.execute(() -> signal(find(placement), ProcessRunner::killNow));
    }

    private Collection<RunningAttempt> find(PlacementId placement) {
        return Optional.ofNullable(running.get(placement)).stream().toList();
    }

    private static void signal(Collection<RunningAttempt> attempts, Consumer<List<TaskProcesses>> how) {
        List<TaskProcesses> told = attempts.stream()
                .filter(RunningAttempt::tellToEnd)
                .map(RunningAttempt::processes)
                .toList();
        if (!told.isEmpty()) {
            how.accept(told);
        }
    }

    /** Does not wait for all to be gone: each one's exit tells. */
    private static void killNow(List<TaskProcesses> tasks) {
        TaskProcesses.kill(tasks, Duration.ZERO);
    }

    @Override
    public void close() {
        if (thread.isShutdown()) {
            return;
        }
        thread.execute(() -> signal(running.values(), TaskProcesses::terminate));
        if (!awaitEnds(CLOSE_GRACE)) {
            thread.execute(() -> signal(running.values(), ProcessRunner::killNow));
            awaitEnds(CLOSE_KILL);
        }
        thread.shutdown();
    }

    private boolean awaitEnds(Duration atMost) {
        CompletableFuture<Boolean> allGone = new CompletableFuture<>();
        thread.execute(() -> tellWhenAllGone(allGone));
        return allGone.completeOnTimeout(false, atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private void tellWhenAllGone(CompletableFuture<Boolean> allGone) {
        CompletableFuture<?>[] ends =
                running.values().stream().map(RunningAttempt::gone).toArray(CompletableFuture<?>[]::new);
        CompletableFuture<?> unused = CompletableFuture.allOf(ends).thenRun(() -> allGone.complete(true));
    }
}
