package dev.cella.transactions.cell.tables;

import dev.cella.transactions.cell.pages.TableDigest;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Rights;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The policies that a commit enforces: pools with their limits and use, and the rights of schedulers; also the schedulers that
 * an operator has paused. A pool has a row from the first job or limit that names it, and so have its ancestors. Owned by the
 * thread that applies changes.
 */
public final class PolicyTable {
    private static final int LIMITS = 1;
    private static final int CLAIMED = 2;
    private static final int RIGHTS = 3;
    private static final int PAUSED = 4;
    private static final int DEFINED = 5;

    final TableDigest digest = new TableDigest();
    private final Map<String, PoolRow> pools = new TreeMap<>();
    private final Map<String, Rights> rights = new TreeMap<>();
    private final Set<String> paused = new TreeSet<>();
    private long draftEpoch;

    public Collection<PoolRow> pools() {
        return Collections.unmodifiableCollection(pools.values());
    }

    /** The row of the pool. The first use of a name makes the row and those of its ancestors. */
    public PoolRow pool(String path) {
        PoolRow pool = pools.get(path);
        if (pool != null) {
            return pool;
        }
        int slash = path.lastIndexOf('/');
        PoolRow made = new PoolRow(path, slash < 0 ? null : pool(path.substring(0, slash)));
        pools.put(path, made);
        return made;
    }

    @Nullable
    public PoolRow find(String path) {
        return pools.get(path);
    }

    public Rights rights(String scheduler) {
        return rights.getOrDefault(scheduler, Rights.UNSET);
    }

    public Map<String, Rights> allRights() {
        return Collections.unmodifiableMap(rights);
    }

    public void limit(String path, Limits limits) {
        PoolRow pool = pool(path);
        digest.moved(Digests.of(path), LIMITS, pool.limits().digest(), limits.digest());
        pool.limit(limits);
    }

    /** Replaces the whole policy of the pool, with its limits. */
    public void define(String path, PoolPolicy policy) {
        PoolRow pool = pool(path);
        digest.moved(Digests.of(path), DEFINED, digestOf(pool), policy.digest());
        limit(path, policy.limits());
        pool.define(policy);
    }

    /** Removes the policy of the pool. Its row stays as long as the cell. */
    void undefine(String path) {
        PoolRow pool = pool(path);
        digest.moved(Digests.of(path), DEFINED, digestOf(pool), 0);
        limit(path, Limits.NONE);
        pool.define(null);
    }

    private static long digestOf(PoolRow pool) {
        return pool.isDefined() ? pool.said().digest() : 0;
    }

    public void set(String scheduler, Rights next) {
        digest.moved(Digests.of(scheduler), RIGHTS, rights(scheduler).digest(), next.digest());
        if (next.equals(Rights.UNSET)) {
            rights.remove(scheduler);
        } else {
            rights.put(scheduler, next);
        }
    }

    public boolean isPaused(String scheduler) {
        return paused.contains(scheduler);
    }

    public Set<String> paused() {
        return Collections.unmodifiableSet(paused);
    }

    public void pause(String scheduler, boolean next) {
        digest.moved(Digests.of(scheduler), PAUSED, isPaused(scheduler) ? 1 : 0, next ? 1 : 0);
        if (next) {
            paused.add(scheduler);
        } else {
            paused.remove(scheduler);
        }
    }

    /** Adds {@code times} times the amounts to the pool and its ancestors, for claims of {@code by}. */
    void claim(PoolRow leaf, Amounts amounts, int times, Origin by) {
        for (PoolRow pool = leaf; pool != null; pool = pool.parentOrNull()) {
            pool.add(amounts, times);
            setClaimed(pool, by);
        }
    }

    /** Adds {@code times} times the amounts to the pool and its ancestors; {@code times} may be negative. */
    void add(PoolRow leaf, Amounts amounts, int times) {
        for (PoolRow pool = leaf; pool != null; pool = pool.parentOrNull()) {
            pool.add(amounts, times);
        }
    }

    public void setClaimed(PoolRow pool, @Nullable Origin by) {
        Origin last = pool.claimedByOrNull();
        long before = last == null ? 0 : last.version();
        long after = by == null ? 0 : by.version();
        if (before != after) {
            digest.moved(Digests.of(pool.path()), CLAIMED, before, after);
            pool.claim(by);
        }
    }

    /** Discards what was drafted, and returns the number for the next draft. */
    long nextDraft() {
        return ++draftEpoch;
    }
}
