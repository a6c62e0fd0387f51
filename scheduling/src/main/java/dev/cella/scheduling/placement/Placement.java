package dev.cella.scheduling.placement;

import java.util.List;

/**
 * What a job asks of machines, by the place of its groups.
 *
 * @param inputs where each group's input is; a policy may use it, and no machine is excluded by it
 */
public record Placement(List<GroupPlacement> groups, List<GroupInputs> inputs) {
    /** A job that asks nothing. */
    public static final Placement ANYWHERE = new Placement(List.of());

    public Placement {
        groups = List.copyOf(groups);
        inputs = List.copyOf(inputs);
    }

    /** A job whose input is nowhere in particular. */
    public Placement(List<GroupPlacement> groups) {
        this(groups, List.of());
    }

    /** The group at {@code place}; one that is not said asks nothing. */
    public GroupPlacement group(int place) {
        return place < groups.size() ? groups.get(place) : GroupPlacement.ANYWHERE;
    }

    /** The input of the group at {@code place}. */
    public GroupInputs inputs(int place) {
        return place < inputs.size() ? inputs.get(place) : GroupInputs.NONE;
    }
}
