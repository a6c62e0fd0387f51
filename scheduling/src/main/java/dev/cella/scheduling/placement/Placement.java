package dev.cella.scheduling.placement;

import java.util.List;

/**
 * The requirements of a job for machines and for its scheduler, by the place of its groups.
 *
 * @param inputs the places of each group's input; a policy may use them, but they exclude no machine
 * @param lives when each group starts, and how it is updated
 */
public record Placement(List<GroupPlacement> groups, List<GroupInputs> inputs, List<GroupLife> lives) {
    /** A job without requirements. */
    public static final Placement ANYWHERE = new Placement(List.of());

    public Placement {
        groups = List.copyOf(groups);
        inputs = List.copyOf(inputs);
        lives = List.copyOf(lives);
    }

    /** A job that says nothing of when its groups start. */
    public Placement(List<GroupPlacement> groups, List<GroupInputs> inputs) {
        this(groups, inputs, List.of());
    }

    /** A job whose input has no particular place. */
    public Placement(List<GroupPlacement> groups) {
        this(groups, List.of());
    }

    /** A job that asks nothing of machines. */
    public static Placement ofLives(GroupLife... lives) {
        return new Placement(List.of(), List.of(), List.of(lives));
    }

    /** The group at {@code place}; without an entry it has no requirements. */
    public GroupPlacement group(int place) {
        return place < groups.size() ? groups.get(place) : GroupPlacement.ANYWHERE;
    }

    /** The input of the group at {@code place}. */
    public GroupInputs inputs(int place) {
        return place < inputs.size() ? inputs.get(place) : GroupInputs.NONE;
    }

    /** When the group at {@code place} starts, and how it is updated. */
    public GroupLife life(int place) {
        return place < lives.size() ? lives.get(place) : GroupLife.PLAIN;
    }
}
