package dev.cella.scheduling.placement;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A wish: a group's tasks are distributed over the values of an attribute, by percentages if targets are named, otherwise
 * evenly. Values without a target share the rest of the hundred percent evenly.
 */
public record Spread(String attribute, SortedMap<String, Integer> targets) {
    private static final int WHOLE = 100;

    public Spread {
        if (attribute.isEmpty()) {
            throw new IllegalArgumentException("a spread names an attribute");
        }
        targets = Collections.unmodifiableSortedMap(new TreeMap<>(targets));
        int sum = targets.values().stream().mapToInt(Integer::intValue).sum();
        boolean negative = targets.values().stream().anyMatch(percent -> percent < 0);
        if (negative || sum > WHOLE) {
            throw new IllegalArgumentException("the targets of a spread are percentages that make at most 100");
        }
    }

    /** Evenly over the values of the attribute. */
    public static Spread evenly(String attribute) {
        return new Spread(attribute, new TreeMap<>());
    }

    public static Spread of(String attribute, Map<String, Integer> targets) {
        return new Spread(attribute, new TreeMap<>(targets));
    }

    /**
     * How many of {@code tasks} the value should have, rounded up, if machines have {@code values} different values.
     */
    int wanted(String value, int tasks, int values) {
        Integer percent = targets.get(value);
        if (percent != null) {
            return divideUp((long) tasks * percent, WHOLE);
        }
        return wantedOfRest(tasks, values);
    }

    /** The same for each value without a target. */
    int wantedOfRest(int tasks, int values) {
        int left = targets.isEmpty()
                ? WHOLE
                : WHOLE - targets.values().stream().mapToInt(Integer::intValue).sum();
        return divideUp((long) tasks * left, (long) WHOLE * Math.max(1, values - targets.size()));
    }

    private static int divideUp(long dividend, long divisor) {
        return (int) ((dividend + divisor - 1) / divisor);
    }
}
