package dev.cella.scheduling.placement;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The places of one task's input: the names of machines and of racks. Their order stays: a scheduler draws from them, and the
 * order of {@link Set#copyOf} differs from one JVM to the next.
 */
public record TaskInputs(Set<String> machines, Set<String> racks) {
    /** A task without input. */
    static final TaskInputs NONE = new TaskInputs(Set.of(), Set.of());

    public TaskInputs {
        machines = Collections.unmodifiableSet(new LinkedHashSet<>(machines));
        racks = Collections.unmodifiableSet(new LinkedHashSet<>(racks));
    }
}
