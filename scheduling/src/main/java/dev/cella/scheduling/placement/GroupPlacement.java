package dev.cella.scheduling.placement;

import java.util.List;
import java.util.Optional;

/**
 * Where the tasks of one group may go and should preferably go. Constraints, {@code distinct} and {@code together} are musts:
 * a task stays pending rather than break one. Affinities and spreads are wishes: they choose among the remaining machines.
 * SURFACE section 8.1.
 *
 * @param together all tasks of the group on machines with one value of this attribute
 */
public record GroupPlacement(
        List<Constraint> constraints,
        List<Affinity> affinities,
        List<Spread> spreads,
        Optional<Distinct> distinct,
        Optional<String> together) {
    /** A group without requirements. */
    public static final GroupPlacement ANYWHERE =
            new GroupPlacement(List.of(), List.of(), List.of(), Optional.empty(), Optional.empty());

    public GroupPlacement {
        constraints = List.copyOf(constraints);
        affinities = List.copyOf(affinities);
        spreads = List.copyOf(spreads);
    }

    public boolean isAnywhere() {
        return equals(ANYWHERE);
    }

    /** Returns whether a task's places depend on where the other tasks of its group are. */
    public boolean looksAtOthers() {
        return !spreads.isEmpty() || distinct.isPresent() || together.isPresent();
    }

    public GroupPlacement with(Constraint... musts) {
        return new GroupPlacement(List.of(musts), affinities, spreads, distinct, together);
    }

    public GroupPlacement with(Affinity... wishes) {
        return new GroupPlacement(constraints, List.of(wishes), spreads, distinct, together);
    }

    public GroupPlacement with(Spread... wishes) {
        return new GroupPlacement(constraints, affinities, List.of(wishes), distinct, together);
    }

    public GroupPlacement with(Distinct must) {
        return new GroupPlacement(constraints, affinities, spreads, Optional.of(must), together);
    }

    public GroupPlacement together(String attribute) {
        return new GroupPlacement(constraints, affinities, spreads, distinct, Optional.of(attribute));
    }
}
