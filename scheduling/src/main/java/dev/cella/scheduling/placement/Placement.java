package dev.cella.scheduling.placement;

import java.util.List;

/** What a job asks of machines, by the place of its groups. */
public record Placement(List<GroupPlacement> groups) {
    /** A job that asks nothing. */
    public static final Placement ANYWHERE = new Placement(List.of());

    public Placement {
        groups = List.copyOf(groups);
    }

    /** The group at {@code place}; one that is not said asks nothing. */
    public GroupPlacement group(int place) {
        return place < groups.size() ? groups.get(place) : GroupPlacement.ANYWHERE;
    }
}
