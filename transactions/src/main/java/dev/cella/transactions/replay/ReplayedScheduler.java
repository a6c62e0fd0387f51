package dev.cella.transactions.replay;

import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A scheduler of a replay.
 *
 * @param instances how many sessions share its jobs
 * @param options those that differ from the defaults of the type
 * @param decisionNanos how long one plan takes
 * @param transitNanos how long a transaction is on its way from the plan to the log
 * @param conflictRule of all its transactions; empty: as each job says
 * @param atomicity of all its transactions; empty: as each job says
 */
public record ReplayedScheduler(
        String name,
        String type,
        int instances,
        SortedMap<String, String> options,
        long decisionNanos,
        long transitNanos,
        Optional<ConflictRule> conflictRule,
        Optional<Atomicity> atomicity) {
    public static final int INSTANCES_MAX = 100;

    public ReplayedScheduler {
        options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
        if (instances < 1 || instances > INSTANCES_MAX) {
            throw new IllegalArgumentException(
                    "a scheduler has 1 to " + INSTANCES_MAX + " instances, not " + instances);
        }
        if (decisionNanos < 0 || transitNanos < 0) {
            throw new IllegalArgumentException("a decision takes no negative time");
        }
    }

    /** As it was: one that decides each job by the job's own rules. */
    public static ReplayedScheduler of(String name, String type, int instances, long decisionNanos, long transitNanos) {
        return new ReplayedScheduler(
                name,
                type,
                instances,
                new TreeMap<>(),
                decisionNanos,
                transitNanos,
                Optional.empty(),
                Optional.empty());
    }

    public ReplayedScheduler withType(String other) {
        return new ReplayedScheduler(
                name, other, instances, options, decisionNanos, transitNanos, conflictRule, atomicity);
    }

    public ReplayedScheduler withInstances(int other) {
        return new ReplayedScheduler(name, type, other, options, decisionNanos, transitNanos, conflictRule, atomicity);
    }

    public ReplayedScheduler withOptions(Map<String, String> other) {
        return new ReplayedScheduler(
                name, type, instances, new TreeMap<>(other), decisionNanos, transitNanos, conflictRule, atomicity);
    }

    public ReplayedScheduler withDecisionNanos(long other) {
        return new ReplayedScheduler(name, type, instances, options, other, transitNanos, conflictRule, atomicity);
    }

    public ReplayedScheduler withConflictRule(ConflictRule other) {
        return new ReplayedScheduler(
                name, type, instances, options, decisionNanos, transitNanos, Optional.of(other), atomicity);
    }

    public ReplayedScheduler withAtomicity(Atomicity other) {
        return new ReplayedScheduler(
                name, type, instances, options, decisionNanos, transitNanos, conflictRule, Optional.of(other));
    }
}
