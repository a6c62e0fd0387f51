package dev.cella.agent.reconciler;

import java.util.Map;

/**
 * Everything that is needed to start an attempt.
 *
 * @param members what it has of each dimension that is a set: "20000,20003" of ports
 */
public record Launch(Assignment assignment, GroupRun run, Map<String, String> members) {
    public Launch {
        members = Map.copyOf(members);
    }

    public Launch(Assignment assignment, GroupRun run) {
        this(assignment, run, Map.of());
    }
}
