package dev.cella.agent.reconciler;

import java.util.Map;

/**
 * Everything that is needed to start an attempt.
 *
 * @param members its members of each set dimension: "20000,20003" for ports
 * @param spare whether it begins as spare work, which stands back for all other work of its machine
 */
public record Launch(Assignment assignment, GroupRun run, Map<String, String> members, boolean spare) {
    public Launch {
        members = Map.copyOf(members);
    }

    public Launch(Assignment assignment, GroupRun run) {
        this(assignment, run, Map.of(), false);
    }
}
