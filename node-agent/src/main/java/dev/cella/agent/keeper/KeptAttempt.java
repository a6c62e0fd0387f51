package dev.cella.agent.keeper;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One attempt in the keeper's process: its processes, the threads that collect its output, its control groups and its journal.
 * Owned by the keeper's one thread; the pumps have their own threads, and so have walks through its work folder.
 *
 * <p>What looks for processes takes all attempts that it concerns, because a look reads two files of each process of the
 * machine.
 */
final class KeptAttempt {
    private static final File NO_INPUT = new File("/dev/null");
    private static final Duration LEFTOVERS_PATIENCE = Duration.ofSeconds(2);

    /** How long to wait for a pipe that a process outside the session still holds open. */
    private static final long PIPE_PATIENCE_MILLIS = 1_000;

    private final KeptLaunch launch;
    private final Journal journal;
    private final Process process;
    private final CompletableFuture<Process> exit;
    private final TaskProcesses processes;
    private final CompletableFuture<Void> pumped;
    private final long startedNanos = System.nanoTime();
    private KeptEnd.Cause cause = KeptEnd.Cause.EXITED;
    private boolean toldToEnd;

    /** A signal that none of its processes was there to get yet. */
    private Optional<String> unsent = Optional.empty();

    private boolean groupIsLeft;
    private boolean groupIsGone;
    private long memoryPeakBytes;
    private @Nullable CompletableFuture<Boolean> clearing;
    private Optional<KeptEnd> end = Optional.empty();

    private KeptAttempt(
            KeptLaunch launch,
            Journal journal,
            Process process,
            CompletableFuture<Process> exit,
            TaskProcesses processes,
            CompletableFuture<Void> pumped) {
        this.launch = launch;
        this.journal = journal;
        this.process = process;
        this.exit = exit;
        this.processes = processes;
        this.pumped = pumped;
    }

    /**
     * Starts its first process. The journal contains its mark before that, so it is found after any failure. The pumps come
     * before it, too, because a machine that has no thread left for them has then started nothing. They end without output if
     * it fails.
     */
    static KeptAttempt start(KeptLaunch launch, Executor pumps) throws IOException {
        List<Path> groupFolders = launch.group().map(TaskGroup::folders).orElse(List.of());
        Journal journal = Journal.create(launch.outputFolder(), launch.work(), launch.mark(), groupFolders);
        OutputWriter stdout = OutputWriter.create(launch.outputFolder(), "stdout", launch.streamBytesMax());
        OutputWriter stderr = OutputWriter.create(launch.outputFolder(), "stderr", launch.streamBytesMax());
        CompletableFuture<Process> started = new CompletableFuture<>();
        try {
            if (launch.group().isPresent()) {
                launch.group().get().create();
            }
            CompletableFuture<Void> pumped = CompletableFuture.allOf(
                    pump(started.thenApply(Process::getInputStream), stdout, pumps),
                    pump(started.thenApply(Process::getErrorStream), stderr, pumps));
            Process process = builder(launch).start();
            CompletableFuture<Process> exit = process.onExit();
            TaskProcesses processes = TaskProcesses.expected(launch.mark());
            Optional<TaskProcesses.Leader> leader = TaskProcesses.Leader.find(process.pid());
            if (leader.isPresent()) {
                processes = processes.ledBy(leader.get());
                note(leader.get(), journal);
            }
            started.complete(process);
            return new KeptAttempt(launch, journal, process, exit, processes, pumped);
        } catch (IOException refused) {
            started.completeExceptionally(refused);
            removeGroup(launch);
            throw refused;
        } catch (OutOfMemoryError noThreadIsLeft) {
            started.completeExceptionally(noThreadIsLeft);
            // The JDK may have started the process, and then found no thread to wait for it.
            TaskProcesses.kill(List.of(TaskProcesses.expected(launch.mark())), LEFTOVERS_PATIENCE);
            removeGroup(launch);
            throw new IOException("this machine has no thread left for it", noThreadIsLeft);
        }
    }

    private static void removeGroup(KeptLaunch launch) {
        launch.group().ifPresent(TaskGroup::remove);
    }

    /** The attempt already runs, so it goes on: a later keeper finds its processes by the mark alone. */
    private static void note(TaskProcesses.Leader leader, Journal journal) {
        try {
            journal.led(leader);
        } catch (IOException diskIsFull) {
            // this keeper knows the leader
        }
    }

    private static ProcessBuilder builder(KeptLaunch launch) {
        ProcessBuilder builder = new ProcessBuilder(launch.command())
                .directory(launch.directory().toFile())
                .redirectInput(NO_INPUT);
        builder.environment().clear();
        builder.environment().putAll(launch.environment());
        return builder;
    }

    /**
     * A task that wrote its files itself could fill the disk between two checks of their size. A task that prints faster than
     * the disk writes is slowed down by the pipe. If the disk is full, output is discarded, because a full disk must not stop
     * a task.
     */
    private static CompletableFuture<Void> pump(
            CompletableFuture<InputStream> pipe, OutputWriter output, Executor pumps) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        pumps.execute(() -> pump(pipe, output, done));
        return done;
    }

    private static void pump(
            CompletableFuture<InputStream> started, OutputWriter output, CompletableFuture<Void> done) {
        try (InputStream pipe = started.join()) {
            byte[] buffer = new byte[8 * 1024];
            for (int length = pipe.read(buffer); length >= 0; length = pipe.read(buffer)) {
                keep(output, buffer, length);
            }
        } catch (IOException | CompletionException closed) {
            // the process is gone, and its end of the pipe with it, or it never started
        } finally {
            close(output);
            done.complete(null);
        }
    }

    private static void keep(OutputWriter output, byte[] buffer, int length) {
        try {
            output.append(buffer, length);
        } catch (IOException diskIsFull) {
            // lost, and the task goes on
        }
    }

    private static void close(OutputWriter output) {
        try {
            output.close();
        } catch (IOException diskIsFull) {
            // earlier output is on disk
        }
    }

    String mark() {
        return launch.mark();
    }

    boolean endsWithAgent() {
        return launch.endsWithAgent();
    }

    boolean isOver() {
        return end.isPresent();
    }

    /** Completes when its first process has exited, or a moment before if no thread is left to tell it. */
    CompletableFuture<Process> exit() {
        return exit;
    }

    /** Returns whether the exit code of its first process is known. */
    boolean hasExited() {
        return !process.isAlive();
    }

    KeptState state() {
        long agoMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
        return new KeptState(launch.mark(), launch.tag(), agoMillis, end);
    }

    /** Sends the signal to all of their processes. A process that ended just before counts as ended by itself. */
    static void signal(Collection<KeptAttempt> attempts, String name, Supplier<ProcessTable> looks) {
        List<KeptAttempt> told =
                attempts.stream().filter(attempt -> attempt.process.isAlive()).toList();
        told.forEach(attempt -> attempt.toldToEnd = true);
        if (name.equals("KILL")) {
            kill(told, looks);
        } else if (!told.isEmpty()) {
            ProcessTable table = looks.get();
            TaskProcesses.signal(
                    name,
                    told.stream()
                            .flatMap(attempt -> attempt.signalled(name, table).stream())
                            .toList());
        }
    }

    /** A program such as podman may take long before the first process is in the attempt's namespace. */
    private List<Long> signalled(String name, ProcessTable table) {
        List<Long> found = processes.signalled(table, launch.inNamespace());
        unsent = launch.inNamespace() && found.isEmpty() ? Optional.of(name) : Optional.empty();
        return found;
    }

    /** Sends the signals for which no process was there before. */
    static void signalAgain(Collection<KeptAttempt> attempts, Supplier<ProcessTable> looks) {
        attempts.stream()
                .filter(attempt -> attempt.isRunning() && attempt.unsent.isPresent())
                .collect(Collectors.groupingBy(attempt -> attempt.unsent.orElseThrow()))
                .forEach((name, of) -> signal(of, name, looks));
    }

    /** Kills all of their processes, once. Their exits tell when they are gone. */
    private static void kill(Collection<KeptAttempt> attempts, Supplier<ProcessTable> looks) {
        attempts.forEach(attempt -> attempt.launch.group().ifPresent(TaskGroup::killAll));
        if (!attempts.isEmpty()) {
            TaskProcesses.kill(
                    attempts.stream().map(KeptAttempt::processes).toList(), looks, Duration.ZERO, Duration.ZERO);
        }
    }

    TaskProcesses processes() {
        return processes;
    }

    /** Ends it if it has used more memory than allowed. */
    void checkMemory(Supplier<ProcessTable> looks) {
        if (isRunning() && launch.group().isPresent() && launch.group().get().memoryKills() > 0) {
            cause = KeptEnd.Cause.OUT_OF_MEMORY;
            kill(List.of(this), looks);
        }
    }

    private boolean isRunning() {
        return end.isEmpty() && process.isAlive();
    }

    /** Returns whether the size of its work folder is limited, and it can still grow. */
    boolean mayOutgrowItsDisk() {
        return isRunning() && launch.diskBytesMax() != KeptLaunch.NO_BOUND;
    }

    /** Measures its work folder on another thread, until it is measured or the attempt ends. */
    CompletableFuture<Long> measure(Executor walks) {
        return CompletableFuture.supplyAsync(() -> Folders.bytesBelow(launch.work(), process::isAlive), walks)
                .exceptionally(failure -> 0L);
    }

    /** Ends it if its work folder holds more than allowed. */
    void checkDisk(long bytes, Supplier<ProcessTable> looks) {
        if (isRunning() && cause != KeptEnd.Cause.OUT_OF_MEMORY && bytes > launch.diskBytesMax()) {
            cause = KeptEnd.Cause.OUT_OF_DISK;
            kill(List.of(this), looks);
        }
    }

    /** Called after their first processes have exited: kills what those have left behind that have no control groups. */
    static void killLeftBehind(Collection<KeptAttempt> exited, Supplier<ProcessTable> looks) {
        List<TaskProcesses> left = exited.stream()
                .filter(attempt -> attempt.launch.group().isEmpty())
                .map(KeptAttempt::processes)
                .toList();
        if (!left.isEmpty()) {
            TaskProcesses.kill(left, looks, Duration.ZERO, LEFTOVERS_PATIENCE);
        }
    }

    /**
     * Called after {@link #killLeftBehind}: kills what is left in its control groups. Completes when all output is stored.
     */
    CompletableFuture<Void> finish() {
        launch.group().ifPresent(this::finishGroup);
        return pumped.completeOnTimeout(null, PIPE_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Reads what the group has counted, and then removes it: that succeeds if nothing was left behind in it. */
    private void finishGroup(TaskGroup group) {
        if (group.memoryKills() > 0) {
            cause = KeptEnd.Cause.OUT_OF_MEMORY;
            memoryPeakBytes = group.memoryPeakBytes();
        }
        groupIsGone = group.removeFolders();
        if (!groupIsGone) {
            group.killAll();
        }
    }

    /**
     * None of its processes is left, and its output is complete. Removes its group, and lets another thread remove its work
     * folder. Completes with whether that held more than allowed, as far as the end depends on it. Called again, it waits for the
     * same removal.
     */
    CompletableFuture<Boolean> clear(Executor removals) {
        if (clearing == null) {
            groupIsLeft = launch.group().isPresent()
                    && !groupIsGone
                    && !launch.group().get().remove();
            clearing = removeWork(removals);
        }
        return clearing;
    }

    private CompletableFuture<Boolean> removeWork(Executor removals) {
        if (Folders.removeIfEmpty(launch.work())) {
            return CompletableFuture.completedFuture(false);
        }
        boolean measures = cause == KeptEnd.Cause.EXITED
                && launch.diskBytesMax() != KeptLaunch.NO_BOUND
                && !toldToEnd
                && process.exitValue() != 0;
        return CompletableFuture.supplyAsync(() -> removeWork(launch, measures), removals)
                .exceptionally(failure -> false);
    }

    /** On a thread of its own. Returns whether the folder was measured and held more than allowed. */
    private static boolean removeWork(KeptLaunch launch, boolean measures) {
        boolean isOver = measures && Folders.bytesBelow(launch.work()) > launch.diskBytesMax();
        try {
            Folders.remove(launch.work());
        } catch (IOException leftBehind) {
            // the next keeper tries again
        }
        return isOver;
    }

    /** It is cleared. */
    KeptEnd ended(boolean wasOverDisk) {
        if (wasOverDisk) {
            cause = KeptEnd.Cause.OUT_OF_DISK;
        }
        boolean byLimit = cause != KeptEnd.Cause.EXITED;
        KeptEnd how = new KeptEnd(cause, process.exitValue(), toldToEnd && !byLimit, memoryPeakBytes);
        try {
            if (byLimit) {
                OutputWriter.addLine(launch.outputFolder(), "stderr", why());
            }
            journal.ended(how);
        } catch (IOException diskIsFull) {
            // the agent hears it from this process
        }
        end = Optional.of(how);
        return how;
    }

    /** The user reads this in the task's own output. */
    private String why() {
        return cause == KeptEnd.Cause.OUT_OF_MEMORY
                ? "cella: killed: it used more memory than it asked for, " + (memoryPeakBytes >> 20)
                        + " MiB at its peak; ask for more memoryMib"
                : "cella: killed: its work directory held more than it asked for, " + (launch.diskBytesMax() >> 20)
                        + " MiB; ask for more diskMib";
    }

    /** The keeper leaves, has killed its processes and cleared it. Only the output stays. */
    void abandon() {
        try {
            journal.ended(KeptEnd.unknown());
        } catch (IOException diskIsFull) {
            // the next keeper looks for its processes in vain
        }
    }

    /** A group that could not be removed yet: dead processes in it wait for their parent. */
    Optional<TaskGroup> groupLeft() {
        return groupIsLeft ? launch.group() : Optional.empty();
    }
}
