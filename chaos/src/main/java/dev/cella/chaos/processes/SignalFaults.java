package dev.cella.chaos.processes;

import java.util.List;

/** The faults that signals can do to processes, in a run and in a cell that runs already. */
final class SignalFaults {
    private static final String NEVER_STOPPED = "the kernel never showed it stopped";

    private SignalFaults() {}

    static ProcessFault kill(List<? extends Breakable> parts) {
        boolean[] lived = {false};
        ProcessFault fault = ProcessFault.on(parts);
        return fault.begins(() -> parts.forEach(part -> {
                    lived[0] |= part.isAlive();
                    part.keepDown(fault);
                }))
                .heals(() -> parts.forEach(part -> part.startAgain(fault)))
                .isVoid(lasted -> lived[0] ? "" : "it was not running");
    }

    /**
     * @param longerThanMillis what it has to outlast to have an effect
     */
    static ProcessFault pause(List<? extends Breakable> parts, long longerThanMillis) {
        boolean[] stopped = {false};
        ProcessFault fault = ProcessFault.on(parts);
        return fault.begins(() -> parts.forEach(part -> part.pause(fault)))
                .lasts(millis -> stopped[0] |= parts.stream().anyMatch(Breakable::isPaused))
                .heals(() -> parts.forEach(part -> part.resume(fault)))
                .isVoid(lasted -> !stopped[0]
                        ? NEVER_STOPPED
                        : lasted <= longerThanMillis
                                ? "it was shorter than the lease of " + longerThanMillis + " ms"
                                : "");
    }

    /** The process is stopped for most of the time. */
    static ProcessFault squeeze(List<? extends Breakable> parts) {
        int[] turns = {0};
        boolean[] stopped = {false};
        ProcessFault fault = ProcessFault.on(parts);
        return fault.lasts(millis -> {
                    boolean runs = turns[0]++ % 4 == 3;
                    parts.forEach(part -> {
                        if (runs) {
                            part.resume(fault);
                        } else {
                            part.pause(fault);
                            stopped[0] |= part.isPaused();
                        }
                    });
                })
                .heals(() -> parts.forEach(part -> part.resume(fault)))
                .isVoid(lasted -> !stopped[0] ? NEVER_STOPPED : turns[0] > 4 ? "" : "it was too short");
    }
}
