package dev.cella.transactions.cell;

import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest outcomes by transaction id, so that a retry is answered and not executed again.
 *
 * <p>Whole outcomes are kept in memory, as many as the cell's limit says and as long as cell time allows; the version of
 * the newest one that was dropped is the {@link #horizon}, below which no basis is accepted any more. That is what makes
 * forgetting an id safe. Only the common copy has this table. Owned by the thread that applies.
 */
final class OutcomeTable {
    private static final int OUTCOME = 1;

    /** One outcome, what was asked, and when. */
    record Kept(long asked, CellTime time, Outcome outcome) {}

    final TableDigest digest = new TableDigest();
    private final Map<TransactionId, Kept> newest = new LinkedHashMap<>();
    private final CellLimits limits;
    private long horizon;

    OutcomeTable(CellLimits limits) {
        this.limits = limits;
    }

    @Nullable
    Kept find(TransactionId id) {
        return newest.get(id);
    }

    /** The version of the newest outcome that was dropped, or 0. */
    long horizon() {
        return horizon;
    }

    Collection<Kept> all() {
        return Collections.unmodifiableCollection(newest.values());
    }

    void keep(Transaction transaction, Outcome outcome, CellTime time) {
        put(new Kept(transaction.digest(), time, outcome));
        drop(time);
    }

    /** What a snapshot says. */
    void load(Kept kept) {
        put(kept);
    }

    void loadHorizon(long version) {
        horizon = version;
    }

    private void put(Kept kept) {
        newest.put(kept.outcome().id(), kept);
        digest.moved(key(kept), OUTCOME, 0, kept.asked());
    }

    private void drop(CellTime now) {
        Iterator<Kept> oldest = newest.values().iterator();
        while (oldest.hasNext()) {
            Kept kept = oldest.next();
            boolean isOld = kept.time().plusMillis(limits.outcomeAgeMillisMax()).compareTo(now) < 0;
            if (newest.size() <= limits.outcomesKept() && !isOld) {
                return;
            }
            oldest.remove();
            digest.moved(key(kept), OUTCOME, kept.asked(), 0);
            horizon = kept.outcome().version().number();
        }
    }

    private static long key(Kept kept) {
        return Digests.mix(
                kept.outcome().version().number(),
                Digests.of(kept.outcome().id().text()));
    }
}
