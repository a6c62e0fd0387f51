package dev.cella.scheduling.placement;

import java.util.List;

/**
 * When the tasks of one group start, and how they are updated.
 *
 * @param update how running tasks become those of a newer generation
 * @param after the places of the groups that have FINISHED before a task of this one starts
 * @param content two generations of the group with the same number have the same tasks, so a task of one need not be
 *     replaced by a task of the other; 0 says nothing
 */
public record GroupLife(UpdatePolicy update, List<Integer> after, long content) {
    /** A group that says nothing of it. */
    public static final GroupLife PLAIN = new GroupLife(UpdatePolicy.DEFAULT, List.of(), 0);

    public GroupLife {
        after = List.copyOf(after);
    }

    /** The same group with another policy. */
    public GroupLife with(UpdatePolicy other) {
        return new GroupLife(other, after, content);
    }

    /** The same group, which starts after those at these places. */
    public GroupLife after(Integer... places) {
        return new GroupLife(update, List.of(places), content);
    }

    /** The same group with that number for what its tasks are. */
    public GroupLife content(long number) {
        return new GroupLife(update, after, number);
    }
}
