package dev.cella.client.job;

import dev.cella.transactions.model.MemberSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the number of each named port of a task: the one in its job, or one that the commit picked. The cell stores numbers
 * without names, so the agent and the displays of a task compute the names here, in the same way.
 */
public final class PortNames {
    /** The dimension, a set, whose members are ports. */
    public static final String DIMENSION = "ports";

    private PortNames() {}

    /** How many of the ports the commit picks. */
    public static long picked(Map<String, Long> ports) {
        return ports.values().stream().filter(number -> number == 0).count();
    }

    /** The numbers in the job, as "8080,8443"; empty if it has none. */
    public static String said(Map<String, Long> ports) {
        List<String> numbers = new TreeMap<>(ports)
                .values().stream()
                        .filter(number -> number > 0)
                        .sorted()
                        .map(String::valueOf)
                        .toList();
        return String.join(",", numbers);
    }

    /** The ports by name, in order, without ports that the task does not hold. */
    public static Map<String, Long> assign(Map<String, Long> ports, MemberSet held) {
        MemberSet free = held;
        for (long number : ports.values()) {
            if (number > 0) {
                free = free.minus(MemberSet.of((int) number));
            }
        }
        int[] picked = free.toArray();
        Map<String, Long> assigned = new LinkedHashMap<>();
        int next = 0;
        for (Map.Entry<String, Long> port : new TreeMap<>(ports).entrySet()) {
            if (port.getValue() > 0) {
                assigned.put(port.getKey(), port.getValue());
            } else if (next < picked.length) {
                assigned.put(port.getKey(), (long) picked[next++]);
            }
        }
        return assigned;
    }
}
