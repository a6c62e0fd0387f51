package dev.cella.scheduling.placement;

import java.util.List;

/**
 * The requirements of a job for machines, by the place of its groups.
 *
 * @param inputs the places of each group's input; a policy may use them, but they exclude no machine
 */
public record Placement(List<GroupPlacement> groups, List<GroupInputs> inputs) {
    /** A job without requirements. */
    public static final Placement ANYWHERE = new Placement(List.of());

    public Placement {
        groups = List.copyOf(groups);
        inputs = List.copyOf(inputs);
    }

    /** A job whose input has no particular place. */
    public Placement(List<GroupPlacement> groups) {
        this(groups, List.of());
    }

    /** The group at {@code place}; without an entry it has no requirements. */
    public GroupPlacement group(int place) {
        return place < groups.size() ? groups.get(place) : GroupPlacement.ANYWHERE;
    }

    /** The input of the group at {@code place}. */
    public GroupInputs inputs(int place) {
        return place < inputs.size() ? inputs.get(place) : GroupInputs.NONE;
    }
}
