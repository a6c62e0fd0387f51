package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Digests;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a machine reported about itself and no claim changes: its name, its attributes, its agent. */
record MachineSaid(
        String name,
        SortedMap<String, String> attributes,
        @Nullable AgentIdentity agent) {
    static final MachineSaid NOTHING = of("", Map.of(), null);

    static MachineSaid of(String name, Map<String, String> attributes, @Nullable AgentIdentity agent) {
        return new MachineSaid(name, Collections.unmodifiableSortedMap(new TreeMap<>(attributes)), agent);
    }

    long nameDigest() {
        return Digests.of(name);
    }

    long attributesDigest() {
        long of = 0;
        for (Map.Entry<String, String> each : attributes.entrySet()) {
            of = Digests.mix(Digests.mix(of, Digests.of(each.getKey())), Digests.of(each.getValue()));
        }
        return of;
    }

    long agentDigest() {
        return agent == null
                ? 0
                : Digests.mix(
                        Digests.mix(Digests.of(agent.bootId()), Digests.of(agent.address())), agent.leaseMillis());
    }
}
