package dev.cella.chaos.processes;

import dev.cella.chaos.processes.LiveTarget.Role;
import dev.cella.chaos.scenario.FaultKind;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    static ProcessFault fault(FaultKind kind, List<Long> pids) {
        if (kills(kind)) {
            return kill(pids);
        }
        return kind == FaultKind.SQUEEZE ? squeeze(pids) : pause(pids);
    }

    private static ProcessFault pause(List<Long> pids) {
        boolean[] stopped = {false};
        return ProcessFault.on(pids.toString())
                .begins(() -> pids.forEach(Signals::pause))
                .lasts(millis -> stopped[0] |= pids.stream().anyMatch(Signals::isPaused))
                .heals(() -> pids.forEach(Signals::resume))
                .isVoid(lasted -> stopped[0] ? "" : "the kernel never showed it stopped");
    }

    private static ProcessFault squeeze(List<Long> pids) {
        int[] turns = {0};
        return ProcessFault.on(pids.toString())
                .lasts(millis -> {
                    boolean runs = turns[0]++ % 4 == 3;
                    pids.forEach(pid -> {
                        if (runs) {
                            Signals.resume(pid);
                        } else {
                            Signals.pause(pid);
                        }
                    });
                })
                .heals(() -> pids.forEach(Signals::resume))
                .isVoid(lasted -> turns[0] > 4 ? "" : "it was too short");
    }

    /** Each is started again as it was started before. */
    private static ProcessFault kill(List<Long> pids) {
        Map<Long, ProcessImage> images = new LinkedHashMap<>();
        return ProcessFault.on(pids.toString())
                .begins(() -> pids.forEach(pid -> {
                    images.put(pid, ProcessImage.of(pid));
                    Signals.kill(pid);
                }))
                .heals(() -> images.values().forEach(ProcessImage::start));
    }
}
