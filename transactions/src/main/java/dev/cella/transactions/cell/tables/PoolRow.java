package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.PoolPolicy;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One pool: its limits, and what its tasks and holds use, with the pools below it. A live row: it changes with the tables, on
 * the thread that owns them.
 */
public final class PoolRow {
    private final String path;
    private final @Nullable PoolRow parent;
    private Limits limits = Limits.NONE;
    private @Nullable PoolPolicy said;
    private long[] use = new long[4];
    private @Nullable Origin claimedBy;
    private long draftEpoch;
    private long[] drafted = new long[4];

    PoolRow(String path, @Nullable PoolRow parent) {
        this.path = path;
        this.parent = parent;
    }

    public String path() {
        return path;
    }

    public Optional<PoolRow> parent() {
        return Optional.ofNullable(parent);
    }

    public Limits limits() {
        return limits;
    }

    /** The policy that an operator set, or the default. */
    public PoolPolicy policy() {
        PoolPolicy policy = said();
        return policy.limits().equals(limits)
                ? policy
                : new PoolPolicy(
                        policy.weight(),
                        policy.minimum(),
                        limits,
                        policy.order(),
                        policy.minimumTimeoutMillis(),
                        policy.fairTimeoutMillis());
    }

    /** Returns whether an operator set its policy. */
    public boolean isDefined() {
        return said != null;
    }

    public PoolPolicy said() {
        return said == null ? PoolPolicy.DEFAULT : said;
    }

    void define(@Nullable PoolPolicy policy) {
        said = policy;
    }

    /** How much of the dimension its tasks and holds have, STOPPING tasks included. */
    public long use(int dimension) {
        return dimension < use.length ? use[dimension] : 0;
    }

    /** The last transaction that claimed in it or below it. */
    public Optional<Origin> claimedBy() {
        return Optional.ofNullable(claimedBy);
    }

    @Nullable
    public Origin claimedByOrNull() {
        return claimedBy;
    }

    @Nullable
    public PoolRow parentOrNull() {
        return parent;
    }

    void limit(Limits next) {
        limits = next;
    }

    void claim(@Nullable Origin by) {
        claimedBy = by;
    }

    void add(Amounts amounts, int times) {
        long[] sums = add(use, amounts, times);
        if (sums != use) {
            use = sums;
        }
    }

    // ---- what the current transaction would add; scratch of the commit rule

    long drafted(int dimension, long epoch) {
        return draftEpoch == epoch && dimension < drafted.length ? drafted[dimension] : 0;
    }

    void draft(Amounts amounts, int times, long epoch) {
        if (draftEpoch != epoch) {
            draftEpoch = epoch;
            Arrays.fill(drafted, 0);
        }
        drafted = add(drafted, amounts, times);
    }

    private static long[] add(long[] sums, Amounts amounts, int times) {
        long[] wide = amounts.size() > sums.length ? Arrays.copyOf(sums, amounts.size()) : sums;
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            wide[dimension] += times * amounts.at(dimension);
        }
        return wide;
    }
}
