package dev.cella.scheduling.placement;

import java.util.Set;

/** Where one task's input is: the names of machines, and the names of racks. */
public record TaskInputs(Set<String> machines, Set<String> racks) {
    public TaskInputs {
        machines = Set.copyOf(machines);
        racks = Set.copyOf(racks);
    }
}
