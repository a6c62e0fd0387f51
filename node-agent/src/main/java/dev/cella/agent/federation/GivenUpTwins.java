package dev.cella.agent.federation;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The names of twins that were given up and may still arrive. Most of them never do, so only the newest names are
 * kept: no submission is on its way for that long. Owned by {@link TwinRunner}.
 */
final class GivenUpTwins {
    private final int max;
    private final Set<String> names = new LinkedHashSet<>();

    GivenUpTwins(int max) {
        this.max = max;
    }

    void add(String name) {
        names.add(name);
        if (names.size() > max) {
            Iterator<String> oldest = names.iterator();
            oldest.next();
            oldest.remove();
        }
    }

    void remove(String name) {
        names.remove(name);
    }

    /** The oldest first. */
    List<String> names() {
        return List.copyOf(names);
    }
}
