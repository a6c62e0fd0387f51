package dev.cella.scheduling;

import java.util.Optional;

/** Why a planner's own policy keeps a task off a machine on which it would fit. */
@FunctionalInterface
public interface Exclusion {
    /** No policy besides the job's. */
    Exclusion NONE = machine -> Optional.empty();

    /** The policy in a few words, as in {@code rack=r1}, if it keeps the task off that machine. */
    Optional<String> excludes(int machine);
}
