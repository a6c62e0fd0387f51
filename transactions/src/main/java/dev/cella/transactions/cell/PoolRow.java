package dev.cella.transactions.cell;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.PoolPolicy;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One pool: its limits, and what its tasks and holds hold, those of the pools below it included. A live row: it goes on
 * changing on the thread that owns the tables.
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

    /** What an operator said of it, or what holds where nobody did. */
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

    /** Whether an operator said anything of it. */
    public boolean isDefined() {
        return said != null;
    }

    PoolPolicy said() {
        return said == null ? PoolPolicy.DEFAULT : said;
    }

    void define(@Nullable PoolPolicy policy) {
        said = policy;
    }

    /** What is held of the dimension, STOPPING tasks included. */
    public long use(int dimension) {
        return dimension < use.length ? use[dimension] : 0;
    }

    /** The last transaction that claimed in it or below it. */
    public Optional<Origin> claimedBy() {
        return Optional.ofNullable(claimedBy);
    }

    @Nullable
    Origin claimedByOrNull() {
        return claimedBy;
    }

    @Nullable
    PoolRow parentOrNull() {
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

    // ---- what a transaction being decided would add; scratch of the commit rule

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
