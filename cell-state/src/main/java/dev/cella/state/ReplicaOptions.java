package dev.cella.state;

import dev.cella.state.core.Membership;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.ratis.RatisOptions;
import dev.cella.transactions.codec.EntryCodec;

/**
 * The options of a replica: its bounds, how its log is kept, the other replicas, and the feature level at which it founds a
 * cell. To let older programs read a cell, found it below the newer level.
 */
public record ReplicaOptions(ReplicaLimits limits, RatisOptions log, Membership membership, int foundingLevel) {
    public ReplicaOptions(ReplicaLimits limits, RatisOptions log, Membership membership) {
        this(limits, log, membership, EntryCodec.FEATURE_LEVEL_MAX);
    }

    public static ReplicaOptions defaults() {
        return new ReplicaOptions(ReplicaLimits.defaults(), RatisOptions.defaults(), Membership.alone());
    }

    public ReplicaOptions withLimits(ReplicaLimits other) {
        return new ReplicaOptions(other, log, membership, foundingLevel);
    }

    public ReplicaOptions withLog(RatisOptions other) {
        return new ReplicaOptions(limits, other, membership, foundingLevel);
    }

    public ReplicaOptions withMembership(Membership other) {
        return new ReplicaOptions(limits, log, other, foundingLevel);
    }

    public ReplicaOptions withFoundingLevel(int other) {
        return new ReplicaOptions(limits, log, membership, other);
    }
}
