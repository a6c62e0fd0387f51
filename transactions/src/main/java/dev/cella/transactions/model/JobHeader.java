package dev.cella.transactions.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The part of a job that decisions read; the rest is an opaque specification. */
public record JobHeader(
        String name,
        JobType type,
        String scheduler,
        String pool,
        int priority,
        Atomicity atomicity,
        ConflictRule conflictRule,
        List<GroupHeader> groups) {
    public static final int GROUPS_MAX = 100;
    public static final int TASKS_MAX = 100_000;
    public static final int PRIORITY_MAX = 100;

    public JobHeader {
        Labels.checkName("job name", name);
        Labels.checkName("scheduler", scheduler);
        Labels.checkPool(pool);
        groups = List.copyOf(groups);
        if (priority < 0 || priority > PRIORITY_MAX) {
            throw new IllegalArgumentException("a priority is from 0 to " + PRIORITY_MAX + ", not " + priority);
        }
        checkGroups(groups);
    }

    private static void checkGroups(List<GroupHeader> groups) {
        if (groups.isEmpty() || groups.size() > GROUPS_MAX) {
            throw new IllegalArgumentException("a job has 1 to " + GROUPS_MAX + " groups, not " + groups.size());
        }
        Set<String> names = new HashSet<>();
        long tasks = 0;
        for (GroupHeader group : groups) {
            if (!names.add(group.name())) {
                throw new IllegalArgumentException("two groups are called " + group.name());
            }
            tasks += group.count();
        }
        if (tasks > TASKS_MAX) {
            throw new IllegalArgumentException("a job has at most " + TASKS_MAX + " tasks, not " + tasks);
        }
    }

    /** The number of tasks of all groups. */
    public int tasks() {
        int tasks = 0;
        for (GroupHeader group : groups) {
            tasks += group.count();
        }
        return tasks;
    }

    /** Returns whether the tasks of any group have to start together. */
    public boolean hasGangs() {
        for (GroupHeader group : groups) {
            if (group.gang().isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the short constructors could have made its groups. */
    public boolean isPlain() {
        for (GroupHeader group : groups) {
            if (!group.isPlain()) {
                return false;
            }
        }
        return true;
    }

    /** The same job without copies of its tasks. The groups keep their places. */
    public JobHeader withoutCopies() {
        return groups.stream().anyMatch(GroupHeader::isOfCopies)
                ? withGroups(groups.stream()
                        .map(group -> group.isOfCopies() ? group.withCount(0) : group)
                        .toList())
                : this;
    }

    /** The same job with other groups. */
    public JobHeader withGroups(List<GroupHeader> next) {
        return new JobHeader(name, type, scheduler, pool, priority, atomicity, conflictRule, next);
    }

    /** The same job with another number of tasks in the group at {@code place}. */
    public JobHeader withCount(int place, int count) {
        List<GroupHeader> next = new ArrayList<>(groups);
        next.set(place, next.get(place).withCount(count));
        return withGroups(next);
    }

    /** The place of the group of that name, or -1. */
    public int findGroup(String groupName) {
        for (int place = 0; place < groups.size(); place++) {
            if (groups.get(place).name().equals(groupName)) {
                return place;
            }
        }
        return -1;
    }
}
