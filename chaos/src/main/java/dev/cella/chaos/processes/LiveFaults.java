package dev.cella.chaos.processes;

import dev.cella.chaos.processes.LiveTarget.Role;
import dev.cella.chaos.scenario.FaultKind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The faults that {@code cella chaos inject} can do to processes that run already. */
public final class LiveFaults {
    private LiveFaults() {}

    /** The role of the processes that the fault is on; empty if a running cell cannot be given it. */
    public static Optional<Role> on(FaultKind kind) {
        return Optional.ofNullable(
                switch (kind) {
                    case REPLICA_KILL, REPLICA_PAUSE, SQUEEZE -> Role.SERVER;
                    case SCHEDULER_KILL, ZOMBIE_SESSION -> Role.SCHEDULER;
                    case AGENT_KILL, SLOW_AGENT -> Role.AGENT;
                    default -> null;
                });
    }

    /** Returns whether the fault ends its process: then somebody has to start it again. */
    public static boolean kills(FaultKind kind) {
        return kind == FaultKind.REPLICA_KILL || kind == FaultKind.SCHEDULER_KILL || kind == FaultKind.AGENT_KILL;
    }

    public static List<String> names() {
        return Arrays.stream(FaultKind.values())
                .filter(kind -> on(kind).isPresent())
                .map(FaultKind::words)
                .toList();
    }

    /**
     * In place of a guard that was killed: a paused process continues. A process that the fault ended stays away, because only
     * the guard knows how it was started.
     */
    public static void healWithoutGuard(FaultKind kind, List<Long> pids) {
        if (!kills(kind)) {
            pids.forEach(Signals::resume);
        }
    }

    static ProcessFault fault(FaultKind kind, List<LiveProcess> processes) {
        if (kills(kind)) {
            return SignalFaults.kill(processes);
        }
        return kind == FaultKind.SQUEEZE ? SignalFaults.squeeze(processes) : SignalFaults.pause(processes, 0);
    }
}
