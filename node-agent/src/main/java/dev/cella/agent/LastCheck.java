package dev.cella.agent;

import dev.cella.agent.reconciler.Launch;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.PlacementId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The agent's own sum of the amounts in use on one machine: the last check before an attempt starts. The cell decides what
 * fits. If the agent finds otherwise, one of the two is wrong, and the attempt must not start. Owned by the agent's loop.
 */
final class LastCheck {
    private final Map<PlacementId, Launch> running = new HashMap<>();
    private final Map<String, Long> used = new HashMap<>();
    private final Map<String, MemberSet> members = new HashMap<>();

    /**
     * Why the attempt does not fit beside the running ones; empty if it does, and then it counts as running.
     *
     * @param capacity of the machine, by the name of a dimension
     */
    Optional<String> take(Launch launch, ToLongFunction<String> capacity) {
        Optional<String> why = why(launch, capacity);
        if (why.isEmpty()) {
            adopt(launch);
        }
        return why;
    }

    private Optional<String> why(Launch launch, ToLongFunction<String> capacity) {
        for (Map.Entry<String, Long> asked : launch.run().settings().resources().entrySet()) {
            String dimension = asked.getKey();
            long free = capacity.applyAsLong(dimension) - used.getOrDefault(dimension, 0L);
            if (asked.getValue() > free) {
                return Optional.of("it asks " + asked.getValue() + " " + dimension + ", and " + free + " are free");
            }
        }
        for (Map.Entry<String, String> held : launch.members().entrySet()) {
            MemberSet taken = taken(held.getKey()).and(MemberSet.parse(held.getValue()));
            if (!taken.isNone()) {
                return Optional.of("another attempt has " + held.getKey() + " " + taken);
            }
        }
        return Optional.empty();
    }

    private MemberSet taken(String dimension) {
        return members.getOrDefault(dimension, MemberSet.NONE);
    }

    /** It runs already. */
    void adopt(Launch launch) {
        running.put(launch.assignment().placement(), launch);
        launch.run().settings().resources().forEach((dimension, amount) -> used.merge(dimension, amount, Long::sum));
        launch.members()
                .forEach((dimension, held) ->
                        members.put(dimension, taken(dimension).plus(MemberSet.parse(held))));
    }

    /** No process of it is left. */
    void release(PlacementId placement) {
        Launch ended = running.remove(placement);
        if (ended != null) {
            ended.run()
                    .settings()
                    .resources()
                    .forEach((dimension, amount) -> used.merge(dimension, -amount, Long::sum));
            ended.members()
                    .forEach((dimension, held) ->
                            members.put(dimension, taken(dimension).minus(MemberSet.parse(held))));
        }
    }
}
