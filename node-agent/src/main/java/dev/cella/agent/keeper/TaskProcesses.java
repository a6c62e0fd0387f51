package dev.cella.agent.keeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * All processes of one attempt of a task: those in the session of its first process, and those with its mark in their
 * environment. Children inherit both; a daemon leaves the session but keeps the mark.
 *
 * <h2>Which task owns a process</h2> Process numbers are reused, so a number alone proves nothing. Number and start time
 * identify the first process. Its number stays taken while any process of its session lives. If a process with that number and
 * another start time exists, the session of that number is not ours. A process older than the first one is never ours.
 *
 * <p>A task that leaves its session and also empties its environment escapes. Only a pid namespace or a cgroup can hold it;
 * without both, the machine's row shows {@code isolation=none}.
 *
 * @param mark the value of {@link #MARK_VARIABLE} in the environment of the attempt's processes
 * @param leader its first process, once it is started
 */
public record TaskProcesses(String mark, Optional<Leader> leader) {
    /** The first process of an attempt, which leads its session. */
    public record Leader(long pid, long startTicks) {
        /** The living process with this number, if it can be read. */
        public static Optional<Leader> find(long pid) {
            try {
                return ProcessTable.find(pid).map(entry -> new Leader(pid, entry.startTicks()));
            } catch (UncheckedIOException tooManyFilesAreOpen) {
                return Optional.empty();
            }
        }
    }

    public static final String MARK_VARIABLE = "CELLA_MARK";

    private static final long ROUND_NANOS = Duration.ofMillis(2).toNanos();

    public TaskProcesses {
        if (mark.isEmpty() || mark.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException("a mark is printable and has no blanks: " + mark);
        }
    }

    /** An attempt whose first process is not started yet. */
    public static TaskProcesses expected(String mark) {
        return new TaskProcesses(mark, Optional.empty());
    }

    public TaskProcesses ledBy(Leader started) {
        return new TaskProcesses(mark, Optional.of(started));
    }

    /** The processes that get a signal. Those that wait outside the task's process namespace would die of it. */
    List<Long> signalled(ProcessTable table, boolean insideOnly) {
        return members(table).stream()
                .map(ProcessTable.Entry::pid)
                .filter(pid -> !insideOnly || ProcessTable.isInNamespace(pid))
                .toList();
    }

    /** Sends a signal to these processes. */
    static void signal(String name, List<Long> told) {
        if (name.equals("TERM")) {
            told.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy));
        } else if (!told.isEmpty()) {
            signalBy(name, told);
        }
    }

    /** The JDK knows two signals; the program kill knows all. */
    private static void signalBy(String name, List<Long> told) {
        List<String> command = new ArrayList<>(List.of("kill", "-s", name, "--"));
        told.forEach(pid -> command.add(Long.toString(pid)));
        try {
            Process unused = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException noSuchProgram) {
            told.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy));
        }
    }

    /**
     * Kills all processes of these attempts, repeatedly, until none is left. Returns whether that succeeded in time.
     *
     * @throws UncheckedIOException if the processes cannot be read at the end of that time
     */
    public static boolean kill(Collection<TaskProcesses> tasks, Duration atMost) {
        return kill(tasks, ProcessTable::now, Duration.ZERO, atMost);
    }

    /** Keeps looking for {@code atLeast}, because a new process may not show its mark yet. */
    static boolean kill(
            Collection<TaskProcesses> tasks, Supplier<ProcessTable> looks, Duration atLeast, Duration atMost) {
        long start = System.nanoTime();
        while (true) {
            boolean isLast = System.nanoTime() - start >= atMost.toNanos();
            boolean noneLeft = isLast ? killOnce(tasks, looks) : killIfReadable(tasks, looks);
            if (isLast || (noneLeft && System.nanoTime() - start >= atLeast.toNanos())) {
                return noneLeft;
            }
            LockSupport.parkNanos(ROUND_NANOS);
        }
    }

    private static boolean killIfReadable(Collection<TaskProcesses> tasks, Supplier<ProcessTable> looks) {
        try {
            return killOnce(tasks, looks);
        } catch (UncheckedIOException tooManyFilesAreOpen) {
            return false;
        }
    }

    private static boolean killOnce(Collection<TaskProcesses> tasks, Supplier<ProcessTable> looks) {
        ProcessTable table = looks.get();
        boolean noneLeft = true;
        for (TaskProcesses task : tasks) {
            for (ProcessTable.Entry process : task.members(table)) {
                ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);
                noneLeft = false;
            }
        }
        return noneLeft;
    }

    /** One that lives in process namespaces of the attempt's own. */
    OptionalLong inside() {
        return members(ProcessTable.now()).stream()
                .mapToLong(ProcessTable.Entry::pid)
                .filter(ProcessTable::isInNamespace)
                .findFirst();
    }

    List<ProcessTable.Entry> members(ProcessTable table) {
        boolean sessionIsOurs = leader.isPresent() && !isNumberUsedAgain(table, leader.get());
        long session = leader.map(Leader::pid).orElse(-1L);
        long bornAfter = leader.map(Leader::startTicks).orElse(0L);
        List<ProcessTable.Entry> members = new ArrayList<>();
        for (ProcessTable.Entry process : table.entries()) {
            if (process.startTicks() >= bornAfter
                    && ((sessionIsOurs && process.session() == session) || isMarked(table, process))) {
                members.add(process);
            }
        }
        return members;
    }

    private static boolean isNumberUsedAgain(ProcessTable table, Leader leader) {
        return table.entries().stream()
                .anyMatch(process -> process.pid() == leader.pid() && process.startTicks() != leader.startTicks());
    }

    private boolean isMarked(ProcessTable table, ProcessTable.Entry process) {
        return table.mark(process).filter(mark::equals).isPresent();
    }
}
