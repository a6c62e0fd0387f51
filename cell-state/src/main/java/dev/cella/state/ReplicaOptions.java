package dev.cella.state;

import dev.cella.state.core.Membership;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.ratis.RatisOptions;

/** What may be chosen about a replica: its bounds, how its log is kept, and with whom. */
public record ReplicaOptions(ReplicaLimits limits, RatisOptions log, Membership membership) {
    public static ReplicaOptions defaults() {
        return new ReplicaOptions(ReplicaLimits.defaults(), RatisOptions.defaults(), Membership.alone());
    }

    public ReplicaOptions withLimits(ReplicaLimits other) {
        return new ReplicaOptions(other, log, membership);
    }

    public ReplicaOptions withLog(RatisOptions other) {
        return new ReplicaOptions(limits, other, membership);
    }

    public ReplicaOptions withMembership(Membership other) {
        return new ReplicaOptions(limits, log, other);
    }
}
