package dev.cella.scheduling.host;

import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What uncommitted claims add to the use of pools with limits. The commit counts in scratch fields of the pools' rows; plans
 * do not, because several plans may share one view. Belongs to one thread.
 */
public final class PoolDraft {
    private final Map<PoolRow, long[]> more = new HashMap<>();

    public void clear() {
        more.clear();
    }

    /** The pool and its ancestors, as far as they have limits. */
    public static List<PoolRow> limited(Optional<PoolRow> pool) {
        return pool.isEmpty() ? List.of() : limited(pool.get());
    }

    private static List<PoolRow> limited(PoolRow pool) {
        List<PoolRow> above = limited(pool.parent());
        if (pool.limits().size() == 0) {
            return above;
        }
        return above.isEmpty() ? List.of(pool) : append(above, pool);
    }

    private static List<PoolRow> append(List<PoolRow> pools, PoolRow last) {
        List<PoolRow> all = new ArrayList<>(pools);
        all.add(last);
        return List.copyOf(all);
    }

    /** Returns whether the pool or an ancestor of it has a limit. */
    public static boolean isLimited(Optional<PoolRow> pool) {
        return !limited(pool).isEmpty();
    }

    /** Adds {@code times} times the amounts to the pool and its ancestors. */
    public void count(Optional<PoolRow> pool, Amounts amounts, long times) {
        for (PoolRow each : limited(pool)) {
            count(each, amounts, times);
        }
    }

    public void count(PoolRow pool, Amounts amounts, long times) {
        long[] sums = more.computeIfAbsent(pool, row -> new long[0]);
        if (sums.length < amounts.size()) {
            sums = Arrays.copyOf(sums, amounts.size());
            more.put(pool, sums);
        }
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            sums[dimension] += times * amounts.at(dimension);
        }
    }

    /** What the limits of the pool and its ancestors leave beside what this counts, a number for each limit. */
    public List<Long> left(Optional<PoolRow> pool) {
        List<Long> left = new ArrayList<>();
        for (PoolRow each : limited(pool)) {
            for (int dimension = 0; dimension < each.limits().size(); dimension++) {
                long limit = Math.min(Amounts.AMOUNT_MAX, each.limits().at(dimension));
                left.add(Math.max(0, limit - each.use(dimension) - counted(each, dimension)));
            }
        }
        return left;
    }

    public long counted(PoolRow pool, int dimension) {
        long[] sums = more.get(pool);
        return sums == null || dimension >= sums.length ? 0 : sums[dimension];
    }

    /**
     * The first dimension of which a pool has too little left for the amounts, beside what both drafts count, or -1. A pool
     * that is over its limit takes no claim, not even one of amounts that the job holds (SEMANTICS section 5, "Policy").
     *
     * @param held the part of the amounts that a hold of the job counts in the pool already
     */
    public static int firstOver(PoolRow pool, Amounts amounts, Amounts held, PoolDraft inFlight, PoolDraft planned) {
        for (int dimension = 0;
                dimension < Math.min(amounts.size(), pool.limits().size());
                dimension++) {
            long limit = pool.limits().at(dimension);
            if (amounts.at(dimension) > 0 && limit != Limits.UNLIMITED) {
                long use = pool.use(dimension) + inFlight.counted(pool, dimension) + planned.counted(pool, dimension);
                if (amounts.at(dimension) - held.at(dimension) > limit - use) {
                    return dimension;
                }
            }
        }
        return -1;
    }
}
