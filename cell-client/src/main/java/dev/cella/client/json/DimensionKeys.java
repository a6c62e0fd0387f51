package dev.cella.client.json;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The names of resource dimensions, and their common misspellings. Only the cell knows which dimensions exist besides the
 * first three, so an unknown name passes here.
 */
public final class DimensionKeys implements KeyRule {
    private static final List<String> KNOWN = List.of("cpuMilli", "memoryMib", "diskMib");
    private static final Pattern NAME = Pattern.compile("[a-z][a-zA-Z0-9]{0,62}");

    private static final String CPU_HINT = "write cpuMilli, in thousandths of a core: one core is cpuMilli: 1000";
    private static final String MEMORY_HINT = "write memoryMib, a whole number of MiB: 1Gi is memoryMib: 1024";

    private static final String DISK_HINT = "write diskMib, a whole number of MiB: 1Gi is diskMib: 1024";

    private static final Map<String, Refusal> MISTAKEN = Map.of(
            "disk", instead("diskMib", DISK_HINT),
            "cpu", instead("cpuMilli", CPU_HINT),
            "cpus", instead("cpuMilli", CPU_HINT),
            "cores", instead("cpuMilli", CPU_HINT),
            "mem", instead("memoryMib", MEMORY_HINT),
            "memory", instead("memoryMib", MEMORY_HINT),
            "ram", instead("memoryMib", MEMORY_HINT));

    private static final Refusal NO_NAME = new Refusal(
            "is no name of a dimension",
            Optional.of("resources are cpuMilli, memoryMib, diskMib, and others that the cell has"));

    private static Refusal instead(String name, String hint) {
        return new Refusal("no such field, did you mean " + name + "?", Optional.of(hint));
    }

    @Override
    public Optional<Refusal> refuse(String key) {
        if (KNOWN.contains(key)) {
            return Optional.empty();
        }
        if (MISTAKEN.containsKey(key)) {
            return Optional.of(MISTAKEN.get(key));
        }
        return NearestName.to(key, KNOWN)
                .map(near -> instead(near, "write " + near))
                .or(() -> NAME.matcher(key).matches() ? Optional.empty() : Optional.of(NO_NAME));
    }
}
