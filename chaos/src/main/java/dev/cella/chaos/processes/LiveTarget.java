package dev.cella.chaos.processes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A running process that its operator allows faults on, because it was started with {@code --chaos}.
 *
 * @param pid its process
 * @param startTicks the start of that process in clock ticks since boot, which reveals a reused process id; the wall clock may be
 *     set while it runs
 * @param does its roles in the cell; a {@code cella dev} has several
 * @param name its name in the cell
 * @param addresses the servers of its cell
 * @param owned whether it ends with another process, so that nobody else can start it again
 */
public record LiveTarget(long pid, long startTicks, Set<Role> does, String name, List<URI> addresses, boolean owned) {
    /** What faults are on. */
    public enum Role {
        SERVER,
        SCHEDULER,
        AGENT
    }

    /** The place of the start time in {@code /proc/PID/stat} after the command's closing parenthesis. */
    private static final int START_TICKS = 19;

    public LiveTarget {
        does = Set.copyOf(does);
        addresses = List.copyOf(addresses);
    }

    /** This process. */
    public static LiveTarget ofThisProcess(Set<Role> does, String name, List<URI> addresses, boolean owned) {
        long self = ProcessHandle.current().pid();
        return new LiveTarget(self, startTicksOf(self), does, name, addresses, owned);
    }

    boolean isAlive() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent() && startTicksOf(pid) == startTicks;
    }

    /** The start of that process in clock ticks since boot; 0 if it has ended. */
    public static long startTicksOf(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), ISO_8859_1);
            return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[START_TICKS]);
        } catch (IOException gone) {
            return 0;
        }
    }

    boolean isOf(Set<URI> cell) {
        return addresses.stream().anyMatch(cell::contains);
    }
}
