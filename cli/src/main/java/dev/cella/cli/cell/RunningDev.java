package dev.cella.cli.cell;

import dev.cella.chaos.processes.LiveTarget;
import dev.cella.client.CellAddresses;
import java.nio.file.Path;

/**
 * A {@code cella dev} that announced itself on this machine.
 *
 * @param processId its process
 * @param startTicks the start of that process in clock ticks since boot, which reveals a reused process id; the wall clock may be
 *     set while it runs
 * @param addresses the addresses of its cell's servers
 * @param data its data directory
 */
public record RunningDev(long processId, long startTicks, CellAddresses addresses, Path data) {
    /** This process, as a cell with these addresses. */
    public static RunningDev ofThisProcess(CellAddresses addresses, Path data) {
        long self = ProcessHandle.current().pid();
        return new RunningDev(self, LiveTarget.startTicksOf(self), addresses, data);
    }

    boolean listensOn(int port) {
        return addresses.all().stream().anyMatch(address -> address.getPort() == port);
    }

    boolean isAlive() {
        return ProcessHandle.of(processId).filter(ProcessHandle::isAlive).isPresent()
                && LiveTarget.startTicksOf(processId) == startTicks;
    }
}
