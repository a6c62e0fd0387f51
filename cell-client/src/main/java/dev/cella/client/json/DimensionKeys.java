package dev.cella.client.json;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The resource dimensions that a request may name today, and what people write instead of them. */
public final class DimensionKeys implements KeyRule {
    private static final List<String> KNOWN = List.of("cpuMilli", "memoryMib");

    private static final String CPU_HINT = "write cpuMilli, in thousandths of a core: one core is cpuMilli: 1000";
    private static final String MEMORY_HINT = "write memoryMib, a whole number of MiB: 1Gi is memoryMib: 1024";

    private static final Map<String, Refusal> MISTAKEN = Map.of(
            "cpu", instead("cpuMilli", CPU_HINT),
            "cpus", instead("cpuMilli", CPU_HINT),
            "cores", instead("cpuMilli", CPU_HINT),
            "mem", instead("memoryMib", MEMORY_HINT),
            "memory", instead("memoryMib", MEMORY_HINT),
            "ram", instead("memoryMib", MEMORY_HINT));

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
        return Optional.of(NearestName.to(key, KNOWN)
                .map(near -> instead(near, "write " + near))
                .orElse(new Refusal("not supported yet", Optional.of("resources are " + String.join(" and ", KNOWN)))));
    }
}
