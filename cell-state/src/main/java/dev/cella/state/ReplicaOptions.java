package dev.cella.state;

import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.ratis.RatisOptions;

/** What may be chosen about a replica: its bounds, and how its log is kept. */
public record ReplicaOptions(ReplicaLimits limits, RatisOptions log) {
    public static ReplicaOptions defaults() {
        return new ReplicaOptions(ReplicaLimits.defaults(), RatisOptions.defaults());
    }

    public ReplicaOptions withLimits(ReplicaLimits other) {
        return new ReplicaOptions(other, log);
    }

    public ReplicaOptions withLog(RatisOptions other) {
        return new ReplicaOptions(limits, other);
    }
}
