package dev.cella.cli.cell;

import dev.cella.client.CellAddresses;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A {@code cella dev} that announced itself on this machine.
 *
 * @param processId its process
 * @param startedAt the start time of that process, which reveals a reused process id
 * @param addresses the addresses of its cell's servers
 * @param data its data directory
 */
public record RunningDev(long processId, Instant startedAt, CellAddresses addresses, Path data) {
    /** The tolerance for start times, because kernels and JDKs differ in the last digits. */
    private static final Duration START_TIME_ERROR_MAX = Duration.ofSeconds(2);

    /** This process, as a cell with these addresses. */
    public static RunningDev ofThisProcess(CellAddresses addresses, Path data) {
        ProcessHandle self = ProcessHandle.current();
        return new RunningDev(self.pid(), self.info().startInstant().orElse(Instant.EPOCH), addresses, data);
    }

    boolean listensOn(int port) {
        return addresses.all().stream().anyMatch(address -> address.getPort() == port);
    }

    boolean isAlive() {
        return ProcessHandle.of(processId)
                .filter(ProcessHandle::isAlive)
                .filter(this::startedThen)
                .isPresent();
    }

    private boolean startedThen(ProcessHandle process) {
        Optional<Instant> started = process.info().startInstant();
        return started.map(then -> Duration.between(then, startedAt).abs().compareTo(START_TIME_ERROR_MAX) <= 0)
                .orElse(true);
    }
}
