package dev.cella.cli.cell;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A {@code cella dev} that announced itself on this machine.
 *
 * @param processId its process
 * @param startedAt when that process started, by which a process id that was given away again is noticed
 * @param address where its cell answers
 * @param data its data directory
 */
public record RunningDev(long processId, Instant startedAt, URI address, Path data) {
    /** Kernels and JDKs do not agree on a start time to the last digit. */
    private static final Duration START_TIME_ERROR_MAX = Duration.ofSeconds(2);

    /** This very process, as a cell that answers at the address. */
    public static RunningDev ofThisProcess(URI address, Path data) {
        ProcessHandle self = ProcessHandle.current();
        return new RunningDev(self.pid(), self.info().startInstant().orElse(Instant.EPOCH), address, data);
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
