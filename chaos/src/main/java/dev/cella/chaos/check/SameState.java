package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** C8: one digest for each version, on every replica and every private replica. */
final class SameState implements Checker {
    @Override
    public String number() {
        return "C8";
    }

    @Override
    public String holds() {
        return "All replicas have the same state at the same version, and no private replica goes back.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        History history = evidence.history();
        return !history.replicaStates.isEmpty() || !history.feedSteps.isEmpty() || !history.logDivergences.isEmpty();
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        evidence.history().logDivergences.forEach(what -> found.add("the log", "%s", what));
        Map<Long, Long> seen = new HashMap<>();
        for (History.ReplicaState state : evidence.history().replicaStates) {
            compare(evidence, seen, state.replica(), state.version(), state.digest(), found);
        }
        Map<String, Long> versions = new HashMap<>();
        for (History.FeedStep step : evidence.history().feedSteps) {
            compare(evidence, seen, step.reader(), step.toVersion(), step.digest(), found);
            long before = step.replaced() ? 0 : versions.getOrDefault(step.reader(), 0L);
            found.unless(
                    step.toVersion() >= before,
                    Checker.time(step.atNanos()),
                    "%s went from version %d back to %d",
                    step.reader(),
                    before,
                    step.toVersion());
            versions.put(step.reader(), step.toVersion());
        }
        return found.all();
    }

    private static void compare(
            Evidence evidence, Map<Long, Long> seen, String who, long version, long digest, Found found) {
        Optional<Long> replayed = evidence.replay().digestAt(version);
        Long other = replayed.orElse(seen.putIfAbsent(version, digest));
        found.unless(
                other == null || other == digest, Checker.version(version), "%s has another state than others", who);
    }
}
