package dev.cella.state.web.service;

import dev.cella.transactions.cell.RestoredFrom;
import dev.cella.transactions.model.MachineRule;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The attributes of a machine that has an agent and was also labelled by an operator. The operator's values override the
 * agent's, survive a new registration, and are all replaced by the operator's next put.
 *
 * <p>Another attribute, {@link #NAMES}, lists the operator's attributes: the row shows it to people, and it is stored and
 * replicated like every other.
 */
final class HandAttributes {
    /** The names of the attributes that were set by hand, separated by commas. */
    static final String NAMES = "cella.byHand";

    private HandAttributes() {}

    /** Refuses an attribute that every machine has anyway: rights and constraints read the name there. */
    static void check(Map<String, String> given) {
        if (given.containsKey(MachineRule.MACHINE)) {
            throw Requests.bad(
                    "attributes." + MachineRule.MACHINE, "is the name of every machine: choose another attribute");
        }
    }

    /**
     * The attributes after an operator's put; {@code before} is empty if the machine has no agent. A value that equals the
     * agent's stays the agent's: a client that reads the row and puts it back with one change means only that change.
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

    /** The attributes after the agent has registered: its own, overridden by those set by hand. */
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

    /** The last attribute that the agent says again when it registers. */
    static Optional<String> lastOfAgent(Map<String, String> attributes) {
        List<String> byHand = names(attributes);
        return attributes.keySet().stream()
                .filter(name -> !name.equals(NAMES) && !name.equals(RestoredFrom.ATTRIBUTE) && !byHand.contains(name))
                .max(Comparator.naturalOrder());
    }

    private static List<String> names(Map<String, String> attributes) {
        return List.of(attributes.getOrDefault(NAMES, "").split(",", -1));
    }
}
