package dev.cella.state.web.service;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The attributes of a machine that an agent speaks for and that an operator has labelled by hand. The operator's values go
 * before the agent's, stay when the agent registers again, and are all replaced by the next put by hand.
 *
 * <p>Which attributes are the operator's is an attribute too, {@link #NAMES}: the row shows it to people, and it is kept and
 * replicated like every other.
 */
final class HandAttributes {
    /** The names of the attributes that were set by hand, separated by commas. */
    static final String NAMES = "cella.byHand";

    private HandAttributes() {}

    /**
     * The attributes after a put by hand; {@code before} is empty if no agent speaks for the machine. A value that is the
     * agent's own already stays the agent's: who reads the row and puts it back with a change means the change alone.
     */
    static SortedMap<String, String> put(Map<String, String> before, Map<String, String> given) {
        if (before.isEmpty()) {
            return new TreeMap<>(given);
        }
        SortedMap<String, String> attributes = new TreeMap<>(before);
        attributes.keySet().removeAll(names(before));
        attributes.remove(NAMES);
        SortedMap<String, String> byHand = new TreeMap<>(given);
        byHand.remove(NAMES);
        byHand.entrySet().removeAll(Map.copyOf(attributes).entrySet());
        attributes.putAll(byHand);
        if (!byHand.isEmpty()) {
            attributes.put(NAMES, String.join(",", byHand.keySet()));
        }
        return attributes;
    }

    /** The attributes after the agent has registered: its own, and over them those that were set by hand. */
    static SortedMap<String, String> registered(Map<String, String> before, Map<String, String> agents) {
        SortedMap<String, String> attributes = new TreeMap<>(agents);
        for (String name : names(before)) {
            if (before.containsKey(name)) {
                attributes.put(name, before.get(name));
            }
        }
        if (before.containsKey(NAMES)) {
            attributes.put(NAMES, before.get(NAMES));
        }
        return attributes;
    }

    private static List<String> names(Map<String, String> attributes) {
        return List.of(attributes.getOrDefault(NAMES, "").split(",", -1));
    }
}
