package dev.cella.chaos.processes;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A running process that its operator allows faults on, because it was started with {@code --chaos}.
 *
 * @param pid its process
 * @param startedAt the start time of that process, which reveals a reused process id
 * @param does its roles in the cell; a {@code cella dev} has several
 * @param name its name in the cell
 * @param addresses the servers of its cell
 * @param owned whether it ends with another process, so that nobody else can start it again
 */
public record LiveTarget(long pid, Instant startedAt, Set<Role> does, String name, List<URI> addresses, boolean owned) {
    /** What faults are on. */
    public enum Role {
        SERVER,
        SCHEDULER,
        AGENT
    }

    /** Kernels and JDKs differ in the last digits. */
    private static final Duration START_TIME_ERROR_MAX = Duration.ofSeconds(2);

    public LiveTarget {
        does = Set.copyOf(does);
        addresses = List.copyOf(addresses);
    }

    /** This process. */
    public static LiveTarget ofThisProcess(Set<Role> does, String name, List<URI> addresses, boolean owned) {
        ProcessHandle self = ProcessHandle.current();
        return new LiveTarget(
                self.pid(), self.info().startInstant().orElse(Instant.EPOCH), does, name, addresses, owned);
    }

    boolean isAlive() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> process.info()
                        .startInstant()
                        .map(then -> Duration.between(then, startedAt).abs().compareTo(START_TIME_ERROR_MAX) <= 0)
                        .orElse(true))
                .isPresent();
    }

    boolean isOf(Set<URI> cell) {
        return addresses.stream().anyMatch(cell::contains);
    }
}
