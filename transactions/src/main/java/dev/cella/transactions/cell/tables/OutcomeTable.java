package dev.cella.transactions.cell.tables;

import dev.cella.transactions.cell.pages.TableDigest;
import dev.cella.transactions.cell.pages.WordPages;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.Arrays;

/**
 * The index of the newest outcomes by transaction id, so that a retry is recognised and not executed again. An outcome takes
 * 24 bytes (digest of the id, digest of the request, version), in the order of the log, and up to 16 bytes in the index.
 * Decisions do not need the whole outcome: the keeper of the cell writes it as a cold row under that version.
 *
 * <p>The table keeps as many outcomes as the cell's limit says, and drops them when they are too old by cell time. The {@link
 * #horizon} is the version of the newest dropped outcome. The cell accepts no basis below it, which makes forgetting an id
 * safe. Two ids with one digest count as one id: the later transaction is refused as ID_REUSED, unless its request is the
 * same.
 *
 * <p>Only the common copy has this table. Owned by the thread that applies.
 */
public final class OutcomeTable {
    public static final int NONE = -1;

    private static final int COLUMN = 1;
    private static final int ID = 0;
    private static final int ASKED = 1;
    private static final int VERSION = 2;
    private static final int ROW_BITS = 10;
    private static final int INDEX_MIN = 64;

    public final TableDigest digest;
    private final CellLimits limits;
    private final int ring;
    private final WordPages rows;
    private final OutcomeTimes times;
    private long oldest;
    private long next;
    private long horizon;
    private int[] index = new int[INDEX_MIN];
    private long[] forgotten = new long[0];
    private int forgottenCount;

    public OutcomeTable(CellLimits limits) {
        this.limits = limits;
        digest = new TableDigest();
        ring = limits.outcomesKept() + 1;
        rows = new WordPages(3, ROW_BITS);
        times = new OutcomeTimes(ring);
    }

    /** The outcomes at this moment, for reading in order only. */
    private OutcomeTable(OutcomeTable copied) {
        limits = copied.limits;
        digest = new TableDigest(copied.digest);
        ring = copied.ring;
        rows = copied.rows.copy();
        times = copied.times.copy();
        oldest = copied.oldest;
        next = copied.next;
        horizon = copied.horizon;
    }

    public OutcomeTable copy() {
        return new OutcomeTable(this);
    }

    // ---- reading

    /** The row of the outcome kept for that id, or {@link #NONE}. */
    public int find(TransactionId id) {
        long wanted = digestOf(id);
        for (int at = home(wanted); index[at] != 0; at = after(at)) {
            if (rows.word(index[at] - 1, ID) == wanted) {
                return index[at] - 1;
            }
        }
        return NONE;
    }

    /** The digest of the request in the transaction of that row. */
    public long asked(int row) {
        return rows.word(row, ASKED);
    }

    public long version(int row) {
        return rows.word(row, VERSION);
    }

    /** The version of the newest outcome that was dropped, or 0. */
    public long horizon() {
        return horizon;
    }

    int size() {
        return (int) (next - oldest);
    }

    // ---- changing

    public void keep(Transaction transaction, long version, long cellTimeMillis) {
        put(digestOf(transaction.id()), transaction.digest(), version, cellTimeMillis);
        drop(cellTimeMillis);
    }

    private void put(long id, long asked, long version, long cellTimeMillis) {
        int row = (int) (next++ % ring);
        rows.reach(row);
        long[] page = rows.toWrite(row);
        int at = rows.at(row);
        page[at + ID] = id;
        page[at + ASKED] = asked;
        page[at + VERSION] = version;
        times.note(version, cellTimeMillis);
        digest.moved(key(row), COLUMN, 0, Digests.mix(asked, cellTimeMillis));
        if (2 * size() > index.length) {
            rebuildIndex(2 * index.length);
        } else {
            enter(row);
        }
    }

    private void drop(long nowMillis) {
        while (size() > limits.outcomesKept() || isTooOld(nowMillis)) {
            int row = (int) (oldest++ % ring);
            digest.moved(key(row), COLUMN, Digests.mix(asked(row), times.ofOldest(version(row))), 0);
            horizon = version(row);
            leave(row);
            noteForgotten(horizon);
        }
    }

    private void noteForgotten(long version) {
        if (forgottenCount == forgotten.length) {
            forgotten = Arrays.copyOf(forgotten, Math.max(16, 2 * forgottenCount));
        }
        forgotten[forgottenCount++] = version;
    }

    /** The versions of the outcomes that were dropped since the last call. */
    public long[] takeForgotten() {
        long[] taken = Arrays.copyOf(forgotten, forgottenCount);
        forgottenCount = 0;
        return taken;
    }

    private boolean isTooOld(long nowMillis) {
        if (size() == 0) {
            return false;
        }
        long keptAt = times.ofOldest(version((int) (oldest % ring)));
        return keptAt + limits.outcomeAgeMillisMax() < nowMillis;
    }

    private long key(int row) {
        return Digests.mix(version(row), rows.word(row, ID));
    }

    private static long digestOf(TransactionId id) {
        return Digests.of(id.text());
    }

    // ---- the index: open addressing over the digests of the ids, rows counted from 1

    private int home(long id) {
        return (int) (id >>> 20) & index.length - 1;
    }

    private int after(int at) {
        return at + 1 & index.length - 1;
    }

    private void enter(int row) {
        int at = home(rows.word(row, ID));
        while (index[at] != 0) {
            at = after(at);
        }
        index[at] = row + 1;
    }

    /** Closes the gap so that every row stays reachable from its home. */
    private void leave(int row) {
        int gap = home(rows.word(row, ID));
        while (index[gap] != row + 1) {
            gap = after(gap);
        }
        for (int at = after(gap); index[at] != 0; at = after(at)) {
            int fromHome = at - home(rows.word(index[at] - 1, ID)) & index.length - 1;
            if (fromHome >= (at - gap & index.length - 1)) {
                index[gap] = index[at];
                gap = at;
            }
        }
        index[gap] = 0;
    }

    private void rebuildIndex(int length) {
        index = new int[length];
        for (long each = oldest; each < next; each++) {
            enter((int) (each % ring));
        }
    }

    // ---- in a snapshot

    /** Receives the outcomes, oldest first. */
    public interface Reader {
        void read(long id, long asked, long version, long cellTimeMillis);
    }

    /** The page of the first kept outcome. Pages count from the first outcome that ever existed. */
    public long firstPage() {
        return oldest >>> ROW_BITS;
    }

    public long endPage() {
        return (next + (1 << ROW_BITS) - 1) >>> ROW_BITS;
    }

    /** The kept outcomes of the page, in order. */
    public void forEach(long page, Reader reader) {
        long from = Math.max(oldest, page << ROW_BITS);
        long end = Math.min(next, (page + 1) << ROW_BITS);
        for (long each = from; each < end; each++) {
            int row = (int) (each % ring);
            reader.read(rows.word(row, ID), asked(row), version(row), times.of(version(row)));
        }
    }

    /** Returns whether the page has the same outcomes in both copies, so that none was added or dropped. */
    public boolean isSame(long page, OutcomeTable other) {
        long first = page << ROW_BITS;
        long end = (page + 1) << ROW_BITS;
        boolean whole = first >= Math.max(oldest, other.oldest) && end <= Math.min(next, other.next);
        return whole || (next == other.next && oldest == other.oldest);
    }

    public void load(long id, long asked, long version, long cellTimeMillis) {
        put(id, asked, version, cellTimeMillis);
    }

    /** Sets how many outcomes were dropped before the first one that is loaded. */
    public void loadHorizon(long version, long forgottenBefore) {
        horizon = version;
        oldest = forgottenBefore;
        next = forgottenBefore;
    }

    public long forgottenBefore() {
        return oldest;
    }

    /** The memory that the table uses now. */
    public long bytes() {
        return rows.bytes() + times.bytes() + (long) index.length * Integer.BYTES;
    }
}
