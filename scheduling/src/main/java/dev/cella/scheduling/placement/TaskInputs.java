package dev.cella.scheduling.placement;

import java.util.Set;

/** The places of one task's input: the names of machines and of racks. */
public record TaskInputs(Set<String> machines, Set<String> racks) {
    public TaskInputs {
        machines = Set.copyOf(machines);
        racks = Set.copyOf(racks);
    }
}
