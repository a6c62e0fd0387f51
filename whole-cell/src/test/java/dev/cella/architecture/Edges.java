package dev.cella.architecture;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The allowed uses as a table like the one of the design: on each line a name, a colon, and the names it uses; {@code all}
 * stands for every name on the lines above.
 */
record Edges(Map<String, Set<String>> usesByName) {
    static Edges of(String table) {
        Map<String, Set<String>> usesByName = new LinkedHashMap<>();
        table.lines().forEach(line -> {
            String[] nameThenUses = line.split(":", 2);
            usesByName.put(nameThenUses[0].strip(), uses(nameThenUses[1].strip(), usesByName.keySet()));
        });
        return new Edges(usesByName);
    }

    private static Set<String> uses(String text, Set<String> above) {
        if (text.equals("all")) {
            return new LinkedHashSet<>(above);
        }
        return text.isEmpty() ? Set.of() : Set.of(text.split(" "));
    }

    boolean allow(String user, String used) {
        return user.equals(used) || usesByName.getOrDefault(user, Set.of()).contains(used);
    }

    /** The longest name in the table that equals or contains {@code path}: dots separate the levels. */
    Optional<String> nameAbove(String path) {
        String name = path;
        while (!usesByName.containsKey(name)) {
            int dot = name.lastIndexOf('.');
            if (dot < 0) {
                return Optional.empty();
            }
            name = name.substring(0, dot);
        }
        return Optional.of(name);
    }
}
