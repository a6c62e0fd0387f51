package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.cell.tables.Settlement;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Reason;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides policies: the quota of a pool and its ancestors, and a scheduler's rights (SEMANTICS section 5, "Policy").
 */
final class QuotaRule {
    private final Tables tables;
    private final Decision decision;
    private final Winners winners;

    QuotaRule(Tables tables, Decision decision, Winners winners) {
        this.tables = tables;
        this.decision = decision;
        this.winners = winners;
    }

    boolean mayPlace(JobRow job) {
        JobHeader header = job.header();
        return header.scheduler().equals(decision.transaction().scheduler())
                && decision.rights().mayPlace(header.priority(), header.pool());
    }

    /** Returns whether its scheduler's rights let it use the machine. */
    boolean mayUse(int slot) {
        return tables.mayUse(decision.rights(), slot);
    }

    // ---- a claim

    /**
     * How many claims of such amounts fit the limits of the job's pool and its ancestors, if nothing is given back.
     */
    long room(JobRow job, Amounts asked) {
        long room = Integer.MAX_VALUE;
        for (PoolRow pool = job.pool(); pool != null; pool = pool.parentOrNull()) {
            for (int dimension = 0; dimension < limited(pool, asked); dimension++) {
                if (asked.at(dimension) > 0) {
                    room = Math.min(room, Math.max(0, left(pool, dimension)) / asked.at(dimension));
                }
            }
        }
        return room;
    }

    /**
     * Refuses with the first pool, from the job's own up, whose limit the claim would exceed, and the first such dimension.
     */
    @Nullable
    ItemResult refuseClaim(
            GroupRow group, int slot, Settlement settlement, EvictionRule evictions, List<Integer> victims) {
        Amounts fromHolds = decision.draft().fromHoldsOf(group.job(), slot, settlement);
        for (PoolRow pool = group.job().pool(); pool != null; pool = pool.parentOrNull()) {
            if (pool.limits().size() > 0) {
                Amounts returned = returned(pool, fromHolds, settlement, evictions, victims);
                ItemResult refused = refuseOver(ItemKind.CLAIM, pool, settlement.asked(), returned);
                if (refused != null) {
                    return refused;
                }
            }
        }
        return null;
    }

    /**
     * What the job's hold already counts in the pool, and what victims of the same pool would give back or hand over.
     */
    private Amounts returned(
            PoolRow pool, Amounts fromHolds, Settlement settlement, EvictionRule evictions, List<Integer> victims) {
        Amounts returned = fromHolds;
        for (int at = 0; at < victims.size(); at++) {
            int row = evictions.row(victims.get(at));
            if (isIn(tables.tasks.group(row).job().pool(), pool)) {
                returned =
                        returned.plus(evictions.givesUp(row, settlement.handed().get(at)));
            }
        }
        return returned;
    }

    private static boolean isIn(PoolRow leaf, PoolRow pool) {
        for (PoolRow each = leaf; each != null; each = each.parentOrNull()) {
            if (each.path().equals(pool.path())) {
                return true;
            }
        }
        return false;
    }

    // ---- a hold, an upgrade

    /** The amounts must fit the pool's limits now. Later, a hold counts by what it gets. */
    @Nullable
    ItemResult refuseMore(ItemKind kind, JobRow job, Amounts wanted) {
        for (PoolRow pool = job.pool(); pool != null; pool = pool.parentOrNull()) {
            ItemResult refused = refuseOver(kind, pool, wanted, Amounts.NONE);
            if (refused != null) {
                return refused;
            }
        }
        return null;
    }

    // ---- either, in one pool

    private @Nullable ItemResult refuseOver(ItemKind kind, PoolRow pool, Amounts asked, Amounts returned) {
        for (int dimension = 0; dimension < limited(pool, asked); dimension++) {
            long more = asked.at(dimension);
            if (more > 0 && more > left(pool, dimension) + returned.at(dimension)) {
                long free = Math.max(0, left(pool, dimension));
                return Refusals.of(kind, Reason.QUOTA, dimension, more, free, lastClaimIn(pool));
            }
        }
        return null;
    }

    /** How many of the asked dimensions have a limit. */
    private static int limited(PoolRow pool, Amounts asked) {
        return Math.min(asked.size(), pool.limits().size());
    }

    private long left(PoolRow pool, int dimension) {
        return pool.limits().at(dimension)
                - pool.use(dimension)
                - decision.draft().counted(pool, dimension);
    }

    /** The last claim in the pool after the basis, which may have taken the rest. */
    private @Nullable Origin lastClaimIn(PoolRow pool) {
        Optional<Origin> last = pool.claimedBy();
        return last.filter(claim -> claim.version() > decision.basis() && !winners.isSeen(claim))
                .orElse(null);
    }
}
